import { encodePart, encodeText, partsOf, signParts, textOf } from '../support/tokens.ts';
import { altered, type Entry, type MakeToken, sent, tokens } from './entry.ts';

type Rewrite = (text: string) => string | Buffer;

/** A token that the issuer signed after its header or claims were rewritten. */
const signedWith =
  (part: 'header' | 'claims') =>
  (rewrite: Rewrite): MakeToken =>
  ({ key, token }) => {
    const [header, payload] = partsOf(token());
    return part === 'header'
      ? signParts(key, encodeText(rewrite(textOf(header))), payload)
      : signParts(key, header, encodeText(rewrite(textOf(payload))));
  };
const signedHeader = signedWith('header');
const signedClaims = signedWith('claims');

const base64UrlAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Another text for the same bytes, with an unused bit set; undefined for a part without unused bits. */
const withStrayBit = (part: string): string | undefined => {
  const other = part.slice(0, -1) + base64UrlAlphabet.charAt(base64UrlAlphabet.indexOf(part.slice(-1)) + 1);
  return part.length % 4 !== 0 && textOf(other) === textOf(part) ? other : undefined;
};

const first =
  (member: string) =>
  (text: string): string =>
    `{${member},${text.slice(1)}`;
const last =
  (member: string) =>
  (text: string): string =>
    `${text.slice(0, -1)},${member}}`;

/** Texts in place of the JSON of a header or of claims. */
const notJsonObjects: Readonly<Record<string, Rewrite>> = {
  'in a list': (text) => `[${text}]`,
  'in a string': (text) => JSON.stringify(text),
  'replaced by null': () => 'null',
  'replaced by a number': () => '256',
  'replaced by a query': () => 'alg=RS256&sub=somebody',
  'with a trailing comma': (text) => text.replace('}', ',}'),
  twice: (text) => `${text}${text}`,
  'after a byte order mark': (text) => `\ufeff${text}`,
  'in UTF-16': (text) => Buffer.from(text, 'utf16le'),
  'with a byte that is not UTF-8': (text) => Buffer.from(last('"x":"\xff"')(text), 'latin1'),
};

const malformed: readonly Entry[] = [
  ...sent(
    tokens('not-a-signed-token', {
      'a word': () => 'x',
      'three words': () => 'x.y.z',
      'two dots': () => '..',
      'two parts': altered((header, payload) => `${header}.${payload}`),
      'no header': altered((_, payload, signature) => `.${payload}.${signature}`),
      'no payload': altered((header, _, signature) => `${header}..${signature}`),
      'no signature': altered((header, payload) => `${header}.${payload}.`),
      'four parts': altered((...parts) => `${parts.join('.')}.${parts[2]}`),
      'an encrypted token, of five parts': () =>
        `${encodePart({ alg: 'RSA-OAEP', enc: 'A256GCM' })}.AAAA.AAAA.AAAA.AAAA`,
      'padding after the signature': altered((...parts) => `${parts.join('.')}==`),
      'a stray bit after the signature': altered(
        (header, payload, signature) => `${header}.${payload}.${withStrayBit(signature) ?? ''}`,
      ),
      'a header that is not JSON': signedHeader(() => 'alg: RS256'),
    }),
  ),
  ...tokens('not-a-signed-token', {
    'the alphabet of plain base64': altered(
      (header, payload) => `${header}.${payload}.${Buffer.alloc(256, 0xff).toString('base64').slice(0, 342)}`,
    ),
    'a token inside a token': ({ key, token }) =>
      signParts(key, encodePart({ alg: key.alg, kid: key.kid, cty: 'JWT' }), encodeText(token())),
  }),
  ...Object.entries(notJsonObjects).flatMap(([how, rewrite]) =>
    tokens('not-a-signed-token', {
      [`a header ${how}`]: signedHeader(rewrite),
      [`claims ${how}, signed`]: signedClaims(rewrite),
    }),
  ),
  // RFC 6750 does not allow JSON in the header, so no JWS JSON serialization is a bearer token.
  ...tokens('not-a-bearer-token', {
    'a flattened JWS in JSON': altered((header, payload, signature) =>
      JSON.stringify({ protected: header, payload, signature }),
    ),
    'a payload that is not encoded': altered(
      (header, payload, signature) => `${header}.${textOf(payload)}.${signature}`,
    ),
  }),
];

/** Other JSON texts with the meaning of a valid token. Of two members with one name, the last one counts. */
const alternative: readonly Entry[] = tokens('allowed', {
  'white space in the claims’ JSON': signedClaims((text) => `\n ${text.replace(':', ' :\t')} `),
  'an escaped member name': signedHeader((text) => text.replace('"alg"', '"\\u0061lg"')),
  'the algorithm none, overridden by RS256': signedHeader(first('"alg":"none"')),
  'groups in a member __proto__': signedClaims(last('"__proto__":{"groups":["admins"]}')),
  'a header with the names of Object’s members': signedHeader(
    last('"constructor":{"crit":["x"]},"toString":1'),
  ),
});

const otherMeanings: readonly Entry[] = [
  ...tokens('algorithm', {
    'RS256, overridden by the algorithm none': signedHeader(last('"alg":"none"')),
    'an algorithm in a member __proto__': signedHeader(() => '{"__proto__":{"alg":"RS256"}}'),
  }),
  ...tokens('critical-header', { 'an escaped crit': signedHeader(last('"cr\\u0069t":["exp"]')) }),
  ...tokens('issuer', {
    'an issuer, overridden by another one': signedClaims(last('"iss":"https://issuer.example.org"')),
    'member names in upper case': signedClaims((text) => text.replace('"iss"', '"ISS"')),
  }),
  ...tokens('lifetime', {
    'an expiry, overridden by a past one': signedClaims(last('"exp":1')),
    'an infinite expiry': signedClaims(last('"exp":1e999')),
  }),
];

export const textEntries: readonly Entry[] = [...malformed, ...alternative, ...otherMeanings];
