import { encodePart, encodeText, partsOf, signParts, textOf } from '../support/tokens.ts';
import { altered, type Entry, type MakeToken, sent, tokens } from './entry.ts';
import { ec } from './keys.ts';

/** A token that the issuer signed after its header or payload was rewritten. */
const rewritten =
  (part: 'header' | 'payload', rewrite: (text: string) => string | Buffer): MakeToken =>
  ({ key, token }) => {
    const [header, payload] = partsOf(token());
    return part === 'header'
      ? signParts(key, encodeText(rewrite(textOf(header))), payload)
      : signParts(key, header, encodeText(rewrite(textOf(payload))));
  };

const base64UrlAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Another text for the same bytes, with a bit set after the last byte; undefined for a part without unused bits. */
const withStrayBit = (part: string): string | undefined => {
  const other = part.slice(0, -1) + base64UrlAlphabet.charAt(base64UrlAlphabet.indexOf(part.slice(-1)) + 1);
  return part.length % 4 !== 0 && textOf(other) === textOf(part) ? other : undefined;
};

/** A token that the issuer signed with a stray bit after its header or payload. */
const strayBitIn =
  (part: 'header' | 'payload'): MakeToken =>
  ({ key, token }) => {
    const texts = ['', 'x', 'xx'].flatMap((filler) => {
      const [header, payload] = partsOf(token({ header: { filler }, claims: { filler } }));
      const other = withStrayBit(part === 'header' ? header : payload);
      if (other === undefined) return [];
      return [part === 'header' ? signParts(key, other, payload) : signParts(key, header, other)];
    });
    return texts[0] ?? '';
  };

const first =
  (member: string) =>
  (text: string): string =>
    `{${member},${text.slice(1)}`;
const last =
  (member: string) =>
  (text: string): string =>
    `${text.slice(0, -1)},${member}}`;
const lastOfBytes = (bytes: readonly number[]) => (text: string) =>
  Buffer.concat([Buffer.from(`${text.slice(0, -1)},"x":"`), Buffer.from(bytes), Buffer.from('"}')]);

export const malformedTexts: readonly Entry[] = [
  ...sent(
    tokens('not-a-signed-token', {
      'a word': () => 'x',
      'three words': () => 'x.y.z',
      'two dots': () => '..',
      'two parts': altered((header, payload) => `${header}.${payload}`),
      'no header': altered((_, payload, signature) => `.${payload}.${signature}`),
      'no payload': altered((header, _, signature) => `${header}..${signature}`),
      'no signature': altered((header, payload) => `${header}.${payload}.`),
      'four parts': altered((header, payload, signature) => `${header}.${payload}.${signature}.${signature}`),
      'an encrypted token, of five parts': () =>
        `${encodePart({ alg: 'RSA-OAEP', enc: 'A256GCM' })}.AAAA.AAAA.AAAA.AAAA`,
      'padding after the signature': altered((...parts) => `${parts.join('.')}==`),
      'a stray bit after the signature': altered(
        (header, payload, signature) => `${header}.${payload}.${withStrayBit(signature) ?? ''}`,
      ),
      'a header that is not JSON': rewritten('header', () => 'alg: RS256'),
    }),
  ),
  ...tokens('not-a-signed-token', {
    'an opaque token': () => '2YotnFZFEjr1zCsicMWpAA',
    'one dot': () => '.',
    'three dots': () => '...',
    'a leading dot': altered((...parts) => `.${parts.join('.')}`),
    'a trailing dot': altered((...parts) => `${parts.join('.')}.`),
    'the alphabet of plain base64': altered(
      (header, payload) => `${header}.${payload}.${Buffer.alloc(256, 0xff).toString('base64').slice(0, 342)}`,
    ),
    'additional characters in the signature': altered((...parts) => `${parts.join('.')}AAA`),
    'a tilde in the signature': altered((...parts) => `${parts.join('.')}~`),
    'a stray bit after the header, signed': strayBitIn('header'),
    'a stray bit after the payload, signed': strayBitIn('payload'),
    'padding after the signature of an ES256 token': ({ token }) => `${token({ key: ec })}==`,
    'a token with the algorithm none and no signature': altered(
      (_, payload) => `${encodePart({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
    ),
    'an empty header, signed': ({ key, token }) => signParts(key, '', partsOf(token())[1]),
    'an empty payload, signed': ({ key, token }) => signParts(key, partsOf(token())[0], ''),
    'a header that is a list': rewritten('header', (text) => `[${text}]`),
    'a header that is null': rewritten('header', () => 'null'),
    'a header that is a string': rewritten('header', () => '"RS256"'),
    'a header that is a number': rewritten('header', () => '256'),
    'a header with a trailing comma': rewritten('header', (text) => text.replace('}', ',}')),
    'a header with a comment': rewritten('header', (text) => `${text}/* */`),
    'a header in single quotes': rewritten('header', (text) => text.replaceAll('"', "'")),
    'a header followed by another': rewritten('header', (text) => `${text}${text}`),
    'a truncated header': rewritten('header', (text) => text.slice(0, -1)),
    'a header after a byte order mark': rewritten('header', (text) => `\ufeff${text}`),
    'a header in UTF-16': rewritten('header', (text) => Buffer.from(text, 'utf16le')),
    'a header that is not UTF-8': rewritten('header', lastOfBytes([0xff])),
    'a header with an overlong slash': rewritten('header', lastOfBytes([0xc0, 0xaf])),
    'a header with a surrogate in UTF-8': rewritten('header', lastOfBytes([0xed, 0xa0, 0x80])),
    'a header with a raw control character': rewritten('header', lastOfBytes([0x00])),
    'claims that are a list, signed': rewritten('payload', (text) => `[${text}]`),
    'claims that are null, signed': rewritten('payload', () => 'null'),
    'claims that are a string, signed': rewritten('payload', (text) => JSON.stringify(text)),
    'claims that are true, signed': rewritten('payload', () => 'true'),
    'claims that are not JSON, signed': rewritten('payload', () => 'sub=somebody'),
    'claims with NaN, signed': rewritten('payload', (text) => text.replace(/"exp":\d+/, '"exp":NaN')),
    'claims with a hexadecimal expiry, signed': rewritten('payload', (text) =>
      text.replace(/"exp":\d+/, '"exp":0xffffffff'),
    ),
    'claims after a byte order mark, signed': rewritten('payload', (text) => `\ufeff${text}`),
    'claims in UTF-16, signed': rewritten('payload', (text) => Buffer.from(text, 'utf16le')),
    'claims that are not UTF-8, signed': rewritten('payload', lastOfBytes([0xff])),
    'truncated claims, signed': rewritten('payload', (text) => text.slice(0, -1)),
    'a token inside a token': ({ key, token }) =>
      signParts(
        key,
        encodePart({ alg: key.alg, kid: key.kid, typ: 'at+jwt', cty: 'JWT' }),
        encodeText(token()),
      ),
  }),
  // RFC 6750 does not allow JSON in the header, so no JWS JSON serialization is a bearer token.
  ...tokens('not-a-bearer-token', {
    'a flattened JWS in JSON': altered((header, payload, signature) =>
      JSON.stringify({ protected: header, payload, signature }),
    ),
    'a general JWS in JSON': altered((header, payload, signature) =>
      JSON.stringify({ payload, signatures: [{ protected: header, signature }] }),
    ),
    'a payload that is not encoded': altered(
      (header, payload, signature) => `${header}.${textOf(payload)}.${signature}`,
    ),
  }),
];

/** Other JSON texts with the meaning of a valid token. Of two members with one name, the last one counts. */
export const alternativeTexts: readonly Entry[] = tokens('allowed', {
  'white space in the header’s JSON': rewritten('header', (text) => `\n ${text.replace(':', ' :\t')} `),
  'white space in the claims’ JSON': rewritten('payload', (text) => `\n ${text.replace(':', ' :\t')} `),
  'an escaped member name': rewritten('header', (text) => text.replace('"alg"', '"\\u0061lg"')),
  'an escaped value': rewritten('payload', (text) => text.replace('"somebody"', '"\\u0073omebody"')),
  'the algorithm none, overridden by RS256': rewritten('header', first('"alg":"none"')),
  'a past expiry, overridden by another one': rewritten('payload', first('"exp":1')),
  'a subject, overridden by another one': rewritten('payload', first('"sub":"root"')),
  'groups in a member __proto__': rewritten('payload', last('"__proto__":{"groups":["admins"]}')),
  'a header with the names of Object’s members': rewritten(
    'header',
    last('"constructor":{"crit":["x"]},"toString":1'),
  ),
});

export const changedTexts: readonly Entry[] = [
  ...tokens('algorithm', {
    'RS256, overridden by the algorithm none': rewritten('header', last('"alg":"none"')),
    'an algorithm in a member __proto__ of the header': rewritten(
      'header',
      () => '{"__proto__":{"alg":"RS256"}}',
    ),
    'an escaped none': rewritten('header', (text) => text.replace('"RS256"', '"\\u006eone"')),
  }),
  ...tokens('critical-header', {
    'an escaped crit': rewritten('header', last('"cr\\u0069t":["exp"]')),
  }),
  ...tokens('issuer', {
    'an issuer, overridden by another one': rewritten('payload', last('"iss":"https://issuer.example.org"')),
    'claims in a member __proto__': rewritten('payload', (text) => `{"__proto__":${text}}`),
    'claims in a nested list': rewritten('payload', (text) => `{"claims":[${text}]}`),
    'member names in upper case': rewritten('payload', (text) => text.replace('"iss"', '"ISS"')),
    'no claims': rewritten('payload', () => '{}'),
  }),
  ...tokens('lifetime', {
    'an expiry, overridden by a past one': rewritten('payload', last('"exp":1')),
    'an infinite expiry': rewritten('payload', last('"exp":1e999')),
    'an infinite issue time': rewritten('payload', last('"iat":1e999')),
  }),
  ...tokens('subject', {
    'a subject, overridden by an empty one': rewritten('payload', last('"sub":""')),
    'a subject with a lone surrogate': rewritten('payload', last('"sub":"alice\\ud83c"')),
  }),
];
