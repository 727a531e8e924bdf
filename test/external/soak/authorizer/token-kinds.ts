import { encodePart, signToken, type SigningKey } from '../../../support/tokens.ts';
import type { Generation } from './faulty-issuer.ts';

/** What tokens say, and when. */
export interface Terms {
  readonly issuer: string;
  readonly audience: string;
  /** In milliseconds since 1970. */
  readonly nowMs: number;
}

const day = 24 * 3600;
const groups = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, group) => `group ${String(group)}`);

/** The subject of the tokens of a generation. */
export const subjectOf = ({ number }: Generation): string => `caller ${String(number)}`;

const token = (
  { issuer, audience, nowMs }: Terms,
  generation: Generation,
  key: SigningKey,
  claims: object = {},
  header: object = {},
): string => {
  const now = Math.floor(nowMs / 1000);
  return `Bearer ${signToken(
    key,
    { typ: 'at+jwt', ...header },
    // The clock runs fast.
    { iss: issuer, aud: audience, sub: subjectOf(generation), iat: now, exp: now + 30 * day, ...claims },
  )}`;
};

type Make = (terms: Terms, keys: Generation) => string;

/** The values of Authorization headers, each with what is wrong with it. */
const kinds = {
  rsa: (terms, keys) => token(terms, keys, keys.rsa),
  ec: (terms, keys) => token(terms, keys, keys.ec),
  ed: (terms, keys) => token(terms, keys, keys.ed),
  'without-kid': (terms, keys) => token(terms, keys, keys.ec, {}, { kid: undefined }),
  'many-groups': (terms, keys) => token(terms, keys, keys.ed, { groups: groups(100) }),
  'too-many-groups': (terms, keys) => token(terms, keys, keys.ed, { groups: groups(101) }),
  large: (terms, keys) => token(terms, keys, keys.ed, { more: 'x'.repeat(5700) }),
  expired: (terms, keys) => token(terms, keys, keys.ed, { exp: Math.floor(terms.nowMs / 1000) - 1 }),
  early: (terms, keys) => token(terms, keys, keys.ed, { nbf: Math.floor(terms.nowMs / 1000) + 29 * day }),
  'other-audience': (terms, keys) => token(terms, keys, keys.ed, { aud: 'another' }),
  'other-signature': (terms, keys) => token(terms, keys, keys.ed, {}, { kid: keys.ec.kid, alg: 'ES256' }),
  'unknown-kid': (terms, keys) =>
    token(terms, keys, keys.ed, {}, { kid: `unknown-${String(keys.number)}-${String(terms.nowMs)}` }),
  'unknown-key-without-kid': (terms, keys) =>
    token(terms, keys, keys.ed, {}, { kid: undefined, alg: 'ES256' }),
  malformed: () => `Bearer ${encodePart({ alg: 'RS256' })}.x`,
  'not-bearer': () => 'Basic x',
  'too-large': () => `Bearer ${'x'.repeat(20_000)}`,
} as const satisfies Readonly<Record<string, Make>>;

/** `withdrawn`: good until the last rotation. */
export type TokenKind = keyof typeof kinds | 'withdrawn';

/** Signs the tokens of one generation of keys, each kind once. */
export const tokensOf = (
  terms: () => Terms,
  keys: Generation,
): ((kind: Exclude<TokenKind, 'withdrawn'>) => string) => {
  const signed = new Map<string, string>();
  return (kind) => {
    const known = signed.get(kind) ?? kinds[kind](terms(), keys);
    signed.set(kind, known);
    return known;
  };
};
