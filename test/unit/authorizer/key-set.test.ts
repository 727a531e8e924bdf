import { createECDH, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../functions/shared/json-object.ts';
import { algorithms, keysFor, parseKeySet } from '../../../functions/authorizer/key-set.ts';
import { ecKey, edKey, rsaKey } from '../../support/tokens.ts';

const [rsa, anotherRsa, ed] = [rsaKey('rsa'), rsaKey('another'), edKey('ed')];
const [ec, third, other] = [ecKey('ec'), ecKey('third'), ecKey('other')];

/** The ids of the keys that can verify. */
const idsIn = (...keys: readonly unknown[]): readonly unknown[] =>
  parseKeySet({ keys }, algorithms).keys.map(({ kid }) => kid);

const withoutUse = ({ kty, crv, n, e, x, y, kid }: JsonObject): JsonObject => ({ kty, crv, n, e, x, y, kid });

const inBase64 = (text: unknown): Buffer => Buffer.from(String(text), 'base64url');
/** The same number with zero bytes in front. */
const withZeros = (text: unknown, count: number): string =>
  Buffer.concat([Buffer.alloc(count), inBase64(text)]).toString('base64url');
/** An odd number of this many bits, in hexadecimal. */
const oddNumber = (bits: number): string =>
  ((2n ** BigInt(bits - 1) + BigInt(`0x${randomBytes(bits / 8 - 1).toString('hex')}`)) | 1n).toString(16);
const modulusOf = (bits: number): JsonObject => ({
  n: Buffer.from(oddNumber(bits), 'hex').toString('base64url'),
});

describe('a key', () => {
  it.each<[string, JsonObject]>([
    ['Ed25519, by the name of RFC 9864', { ...ed.jwk, alg: 'Ed25519' }],
    ['RSA, without a use and an algorithm', withoutUse(rsa.jwk)],
    ['P-256, without a use and an algorithm', withoutUse(ec.jwk)],
    ['Ed25519, without a use and an algorithm', withoutUse(ed.jwk)],
    ['for verifying, among other operations', { ...rsa.jwk, key_ops: ['encrypt', 'verify'] }],
    ['RSA with the exponent 3', { ...rsa.jwk, e: 'Aw' }],
    ['RSA with an exponent of 32 bits', { ...rsa.jwk, e: '_____w' }],
    ['RSA with an exponent after 1,000 zero bytes', { ...rsa.jwk, e: withZeros('AQAB', 1000) }],
    ['RSA of 8,192 bits', { ...rsa.jwk, ...modulusOf(8192) }],
  ])('is usable: %s', (_, jwk) => {
    expect(idsIn(jwk)).toEqual([jwk['kid']]);
  });

  it.each<[string, unknown]>([
    ['a list', [rsa.jwk]],
    ['RSA of 2,040 bits', rsaKey('weak', 2040).jwk],
    ['RSA of 8,200 bits', { ...rsa.jwk, ...modulusOf(8200) }],
    ['RSA of 300,000 bytes', { ...rsa.jwk, ...modulusOf(2_400_000) }],
    ['RSA with the exponent 0', { ...rsa.jwk, e: 'AA' }],
    ['RSA with the exponent 1', { ...rsa.jwk, e: 'AQ' }],
    ['RSA with the exponent 1 after zero bytes', { ...rsa.jwk, e: withZeros('AQ', 3) }],
    ['RSA with the exponent 1 and padding', { ...rsa.jwk, e: 'AQ==' }],
    ['RSA with the exponent 2', { ...rsa.jwk, e: 'Ag' }],
    ['RSA with the exponent 65,536', { ...rsa.jwk, e: 'AQAA' }],
    ['RSA with an exponent of 33 bits', { ...rsa.jwk, e: 'AQAAAAE' }],
    ['RSA with an exponent as long as its modulus', { ...rsa.jwk, e: modulusOf(2048)['n'] }],
    ['RSA with an exponent of 60,000 bytes', { ...rsa.jwk, e: modulusOf(480_000)['n'] }],
    ['for encryption', { ...rsa.jwk, use: 'enc' }],
    ['for signing only', { ...rsa.jwk, key_ops: ['sign'] }],
    ['with key_ops as text instead of a list', { ...rsa.jwk, key_ops: 'verify' }],
    ['RSA for another algorithm of its type', { ...rsa.jwk, alg: 'RS512' }],
    ['Ed25519 for an algorithm of another type', { ...ed.jwk, alg: 'ES256' }],
    ['P-256 for an algorithm of another type', { ...ec.jwk, alg: 'RS256' }],
    ['off its curve', { ...ec.jwk, x: ec.jwk['y'] }],
    ['P-384', generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' })],
    ['for key agreement', { ...withoutUse(ed.jwk), crv: 'X25519' }],
    ['of another type with the parameters of RSA', { ...rsa.jwk, kty: 'oct' }],
    ['with an id that is a number', { ...rsa.jwk, kid: 1 }],
    ...['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].map((part): [string, unknown] => [
      `with the private part ${part}`,
      { ...rsa.jwk, [part]: 'AA' },
    ]),
  ])('is not usable: %s', (_, jwk) => {
    expect(idsIn(other.jwk, jwk)).toEqual(['other']);
    expect(() => parseKeySet({ keys: [jwk] }, algorithms)).toThrow('NoUsableKey');
  });

  it('is still listed by its id when it is not usable', () => {
    const keys = [ec.jwk, { ...rsa.jwk, use: 'enc' }, null, 'ed', { kid: 1 }];
    expect(parseKeySet({ keys }, algorithms).kids).toEqual(new Set(['ec', 'rsa', 1]));
    // A key for an algorithm that the stage does not allow is not usable either.
    expect(() => parseKeySet({ keys }, ['EdDSA'])).toThrow('NoUsableKey');
  });
});

/** Spellings of a part of a JWK that mean the same number. */
const spellings: readonly [string, (text: unknown) => string][] = [
  ['as it is', String],
  ['with padding', (text) => `${String(text)}==`],
  ['with white space', (text) => ` ${String(text)}\n`],
  ['in base64', (text) => inBase64(text).toString('base64')],
  ['with a leading zero byte', (text) => withZeros(text, 1)],
  ['with 300 leading zero bytes', (text) => withZeros(text, 300)],
];

describe.each(spellings)('a private key that is published %s', (_, spell) => {
  it.each([
    { key: rsa, parts: 'n d' },
    { key: rsa, parts: 'p q' },
    { key: rsa, parts: 'p' },
    { key: rsa, parts: 'q' },
    { key: ec, parts: 'd' },
    { key: ed, parts: 'd' },
  ])('makes its public key unusable: $key.alg, parts $parts', ({ key: { jwk, privateJwk }, parts }) => {
    const half = Object.fromEntries(parts.split(' ').map((part) => [part, spell(privateJwk[part])]));
    const { kty, crv } = jwk;
    expect(idsIn({ kty, crv, ...half }, jwk, { ...jwk, kid: 'same' }, other.jwk)).toEqual(['other']);
    expect(idsIn({ kty, ...half }, jwk, other.jwk)).toEqual(['other']);
  });
});

/** A key whose private half is the number 1, which has 31 leading zero bytes. */
const pointOfOne = (): JsonObject => {
  const key = createECDH('prime256v1');
  key.setPrivateKey(`${'00'.repeat(31)}01`, 'hex');
  const point = key.getPublicKey();
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  return { ...ec.jwk, x, y };
};

it.each<[string, privateJwk: JsonObject, jwk: JsonObject]>([
  ['without its leading zero bytes', { kty: 'EC', crv: 'P-256', d: 'AQ' }, pointOfOne()],
  [
    'with the public half of another EC key',
    { ...ec.privateJwk, x: third.jwk['x'], y: third.jwk['y'] },
    ec.jwk,
  ],
  ['with the modulus of another RSA key', { ...rsa.privateJwk, n: anotherRsa.jwk['n'] }, rsa.jwk],
  ['with another exponent', rsa.privateJwk, { ...rsa.jwk, e: 'Aw' }],
  ['with a damaged private half, for RSA', { ...rsa.jwk, d: 5 }, rsa.jwk],
  ['with a damaged private half, for EC', { ...ec.jwk, d: 5 }, ec.jwk],
])('a key is not usable when it is published as a private key %s', (_, privateJwk, jwk) => {
  expect(idsIn(jwk)).toEqual([jwk['kid']]);
  expect(idsIn(privateJwk, jwk, other.jwk)).toEqual(['other']);
});

it.each<[string, JsonObject]>([
  ['JSON numbers', { d: 5, n: 5, p: 5 }],
  ['empty', { d: '', n: '', p: '', q: '' }],
  ['0', { d: 'AA', n: 'AA', p: 'AA', q: 'AA' }],
  ['1', { d: 'AQ', n: 'AQ', p: 'AQ', q: 'AQ' }],
  ['another key’s', anotherRsa.privateJwk],
  ['90,000 bytes long', { d: oddNumber(480_000), p: oddNumber(480_000) }],
])('a key is usable beside a private JWK whose parts are %s', (_, privateJwk) => {
  expect(idsIn(privateJwk, rsa.jwk, ec.jwk, ed.jwk)).toEqual(['rsa', 'ec', 'ed']);
});

it.each([{}, { keys: null }, { keys: {} }, { keys: 'rsa' }])('%j is rejected as a key set', (response) => {
  expect(() => parseKeySet(response, algorithms)).toThrow('NoKeySet');
});

describe('the keys for a token', () => {
  const [same, third] = [rsaKey('rsa'), rsaKey('third')];
  const keySet = parseKeySet({ keys: [rsa, ec, same, third].map(({ jwk }) => jwk) }, algorithms);
  const textOf = (key: KeyObject): unknown => key.export({ format: 'jwk' })['n'];

  it('are those of its algorithm, and of its key id if it has one', () => {
    const named = keysFor(keySet, 'RS256', 'rsa').map(textOf);
    expect(named).toEqual([rsa, same].map(({ jwk }) => jwk['n']));
    expect(keysFor(keySet, 'RS256', undefined).map(textOf)).toEqual([...named, third.jwk['n']]);
    expect(keysFor(keySet, 'ES256', 'rsa')).toEqual([]);
    expect(keysFor(keySet, 'RS256', 'made-up')).toEqual([]);
  });

  it('are at most eight, without duplicates and unusable keys', () => {
    const repeated = Array.from({ length: 8 }, () => ec.jwk);
    const unusable = Array.from({ length: 9 }, () => ({ ...ec.jwk, x: ec.jwk['y'] }));
    const usable = (count: number) => Array.from({ length: count }, () => ecKey('ec').jwk);
    const found = (...keys: readonly JsonObject[]) =>
      keysFor(parseKeySet({ keys }, algorithms), 'ES256', 'ec').length;
    expect(found(...repeated, ...unusable, ...usable(1))).toBe(2);
    expect(found(...unusable, ...usable(9))).toBe(8);
  });
});
