import { encodePart, encodeText, partsOf, signParts, textOf } from '../support/tokens.ts';
import { type Entry, type MakeToken, sent, tokens } from './entry.ts';
import { ec } from './keys.ts';

/** A good token whose parts were replaced afterwards. */
const altered =
  (alter: (header: string, payload: string, signature: string) => string): MakeToken =>
  ({ token }) =>
    alter(...partsOf(token()));

/** A token that the issuer signed with its header or payload in another text. */
const rewritten =
  (part: 'header' | 'payload', rewrite: (text: string) => string | Buffer): MakeToken =>
  ({ key, token }) => {
    const [header, payload] = partsOf(token());
    return part === 'header'
      ? signParts(key, encodeText(rewrite(textOf(header))), payload)
      : signParts(key, header, encodeText(rewrite(textOf(payload))));
  };

const base64UrlAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The same bytes in another text, with a bit set behind the last byte; a part of whole groups of four has no room. */
const withStrayBit = (part: string): string | undefined => {
  const other = part.slice(0, -1) + base64UrlAlphabet.charAt(base64UrlAlphabet.indexOf(part.slice(-1)) + 1);
  return part.length % 4 !== 0 && textOf(other) === textOf(part) ? other : undefined;
};

/** A token that the issuer signed with a stray bit behind its header or payload. */
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

export const textsThatAreNoToken: readonly Entry[] = [
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
      'padding behind the signature': altered((...parts) => `${parts.join('.')}==`),
      'a stray bit behind the signature': altered(
        (header, payload, signature) => `${header}.${payload}.${withStrayBit(signature) ?? ''}`,
      ),
      'a header that is not JSON': rewritten('header', () => 'alg: RS256'),
    }),
  ),
  ...tokens('not-a-signed-token', {
    'what an issuer of opaque tokens gives': () => '2YotnFZFEjr1zCsicMWpAA',
    'one dot': () => '.',
    'three dots': () => '...',
    'a dot in front': altered((...parts) => `.${parts.join('.')}`),
    'a dot behind': altered((...parts) => `${parts.join('.')}.`),
    'the alphabet of plain base64': altered(
      (header, payload) => `${header}.${payload}.${Buffer.alloc(256, 0xff).toString('base64').slice(0, 342)}`,
    ),
    'a character too many in the signature': altered((...parts) => `${parts.join('.')}AAA`),
    'a tilde in the signature': altered((...parts) => `${parts.join('.')}~`),
    'a stray bit behind the header, signed': strayBitIn('header'),
    'a stray bit behind the payload, signed': strayBitIn('payload'),
    'padding behind the signature of an ES256 token': ({ token }) => `${token({ key: ec })}==`,
    'a token of no algorithm and no signature': altered(
      (_, payload) => `${encodePart({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
    ),
    'an empty header, signed': ({ key, token }) => signParts(key, '', partsOf(token())[1]),
    'an empty payload, signed': ({ key, token }) => signParts(key, partsOf(token())[0], ''),
    'a header that is a list': rewritten('header', (text) => `[${text}]`),
    'a header that is null': rewritten('header', () => 'null'),
    'a header that is a text': rewritten('header', () => '"RS256"'),
    'a header that is a number': rewritten('header', () => '256'),
    'a header with a comma too many': rewritten('header', (text) => text.replace('}', ',}')),
    'a header with a comment': rewritten('header', (text) => `${text}/* */`),
    'a header in single quotes': rewritten('header', (text) => text.replaceAll('"', "'")),
    'a header followed by another': rewritten('header', (text) => `${text}${text}`),
    'a header cut short': rewritten('header', (text) => text.slice(0, -1)),
    'a header behind a byte order mark': rewritten('header', (text) => `\ufeff${text}`),
    'a header in UTF-16': rewritten('header', (text) => Buffer.from(text, 'utf16le')),
    'a header that is not UTF-8': rewritten('header', lastOfBytes([0xff])),
    'a header with an overlong slash': rewritten('header', lastOfBytes([0xc0, 0xaf])),
    'a header with a surrogate in UTF-8': rewritten('header', lastOfBytes([0xed, 0xa0, 0x80])),
    'a header with a raw control character': rewritten('header', lastOfBytes([0x00])),
    'claims that are a list, signed': rewritten('payload', (text) => `[${text}]`),
    'claims that are null, signed': rewritten('payload', () => 'null'),
    'claims that are a text, signed': rewritten('payload', (text) => JSON.stringify(text)),
    'claims that are true, signed': rewritten('payload', () => 'true'),
    'claims that are not JSON, signed': rewritten('payload', () => 'sub=somebody'),
    'claims with NaN, signed': rewritten('payload', (text) => text.replace(/"exp":\d+/, '"exp":NaN')),
    'claims with a hexadecimal expiry, signed': rewritten('payload', (text) =>
      text.replace(/"exp":\d+/, '"exp":0xffffffff'),
    ),
    'claims behind a byte order mark, signed': rewritten('payload', (text) => `\ufeff${text}`),
    'claims in UTF-16, signed': rewritten('payload', (text) => Buffer.from(text, 'utf16le')),
    'claims that are not UTF-8, signed': rewritten('payload', lastOfBytes([0xff])),
    'claims cut short, signed': rewritten('payload', (text) => text.slice(0, -1)),
    'a token inside a token': ({ key, token }) =>
      signParts(
        key,
        encodePart({ alg: key.alg, kid: key.kid, typ: 'at+jwt', cty: 'JWT' }),
        encodeText(token()),
      ),
  }),
  // RFC 6750 leaves no room for JSON in a header: neither form of JWS JSON serialization is a bearer token.
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

/** JSON has many texts for one meaning. Of two members of one name the last counts, for every reader here. */
export const otherTextsOfATokenAsGood: readonly Entry[] = tokens('allowed', {
  'white space in the header’s JSON': rewritten('header', (text) => `\n ${text.replace(':', ' :\t')} `),
  'white space in the claims’ JSON': rewritten('payload', (text) => `\n ${text.replace(':', ' :\t')} `),
  'an escaped member name': rewritten('header', (text) => text.replace('"alg"', '"\\u0061lg"')),
  'an escaped value': rewritten('payload', (text) => text.replace('"somebody"', '"\\u0073omebody"')),
  'an algorithm of none that RS256 overrides': rewritten('header', first('"alg":"none"')),
  'an expiry long past that another overrides': rewritten('payload', first('"exp":1')),
  'a subject that another overrides': rewritten('payload', first('"sub":"root"')),
  'groups on its prototype': rewritten('payload', last('"__proto__":{"groups":["admins"]}')),
  'a header of Object’s own names': rewritten('header', last('"constructor":{"crit":["x"]},"toString":1')),
});

export const textsThatSayAnotherThing: readonly Entry[] = [
  ...tokens('algorithm', {
    'RS256 that an algorithm of none overrides': rewritten('header', last('"alg":"none"')),
    'an algorithm on the prototype of the header': rewritten('header', () => '{"__proto__":{"alg":"RS256"}}'),
    'an escaped none': rewritten('header', (text) => text.replace('"RS256"', '"\\u006eone"')),
  }),
  ...tokens('critical-header', {
    'an escaped crit': rewritten('header', last('"cr\\u0069t":["exp"]')),
  }),
  ...tokens('issuer', {
    'an issuer that another overrides': rewritten('payload', last('"iss":"https://issuer.example.org"')),
    'claims on their prototype': rewritten('payload', (text) => `{"__proto__":${text}}`),
    'claims in a list inside': rewritten('payload', (text) => `{"claims":[${text}]}`),
    'member names in capitals': rewritten('payload', (text) => text.replace('"iss"', '"ISS"')),
    'no claims at all': rewritten('payload', () => '{}'),
  }),
  ...tokens('lifetime', {
    'an expiry that a past one overrides': rewritten('payload', last('"exp":1')),
    'an expiry beyond all numbers': rewritten('payload', last('"exp":1e999')),
    'an issue beyond all numbers': rewritten('payload', last('"iat":1e999')),
  }),
  ...tokens('subject', {
    'a subject that an empty one overrides': rewritten('payload', last('"sub":""')),
    'a subject of half a character': rewritten('payload', last('"sub":"alice\\ud83c"')),
  }),
];
