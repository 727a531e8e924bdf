import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../functions/shared/json-object.ts';
import { algorithms, keysFor, parseKeySet } from '../../../functions/authorizer/key-set.ts';
import { ecKey, edKey, rsaKey, secretKey, type SigningKey } from '../../support/tokens.ts';

const rsa = rsaKey('rsa');
const ec = ecKey('ec');
const ed = edKey('ed');
const other = ecKey('other');

/** The ids of the keys that can verify. */
const idsIn = (...keys: readonly unknown[]): readonly unknown[] =>
  parseKeySet({ keys }, algorithms).keys.map(({ kid }) => kid);

const withoutUse = ({ kty, crv, n, e, x, y, kid }: JsonObject): JsonObject => ({ kty, crv, n, e, x, y, kid });

describe('a key', () => {
  it.each<[string, JsonObject]>([
    ['RSA', rsa.jwk],
    ['P-256', ec.jwk],
    ['Ed25519', ed.jwk],
    ['Ed25519, by the name of RFC 9864', { ...ed.jwk, alg: 'Ed25519' }],
    ['RSA, without a use and an algorithm', withoutUse(rsa.jwk)],
    ['P-256, without a use and an algorithm', withoutUse(ec.jwk)],
    ['Ed25519, without a use and an algorithm', withoutUse(ed.jwk)],
    ['RSA, without an id', { ...rsa.jwk, kid: undefined }],
    ['for verifying, among other operations', { ...rsa.jwk, key_ops: ['encrypt', 'verify'] }],
    ['with members that say nothing here', { ...rsa.jwk, ext: true, x5c: ['AA'], x5t: null, nbf: 1 }],
  ])('is usable: %s', (_, jwk) => {
    expect(idsIn(jwk)).toEqual([jwk['kid']]);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a string', 'rsa'],
    ['a list', [rsa.jwk]],
    ['an empty object', {}],
    ['a symmetric key', secretKey('secret', 'x'.repeat(32)).jwk],
    ['an RSA key of 1,024 bits', rsaKey('weak', 1024).jwk],
    ['an RSA key of 2,040 bits', rsaKey('weak', 2040).jwk],
    ['for encryption', { ...rsa.jwk, use: 'enc' }],
    ['for an unknown use', { ...rsa.jwk, use: null }],
    ['for signing only', { ...rsa.jwk, key_ops: ['sign'] }],
    ['for no operation', { ...rsa.jwk, key_ops: [] }],
    ['for an operation in a string', { ...rsa.jwk, key_ops: 'verify' }],
    ['for verifying, but with the use encryption', { ...rsa.jwk, use: 'enc', key_ops: ['verify'] }],
    ['for another algorithm of its type', { ...rsa.jwk, alg: 'RS512' }],
    ['for an algorithm of another type', { ...rsa.jwk, alg: 'ES256' }],
    ['P-256 for RS256', { ...ec.jwk, alg: 'RS256' }],
    ['Ed25519 for ES256', { ...ed.jwk, alg: 'ES256' }],
    ['RSA for Ed25519', { ...rsa.jwk, alg: 'Ed25519' }],
    ['without its modulus', { ...rsa.jwk, n: undefined }],
    ['without its exponent', { ...rsa.jwk, e: undefined }],
    ['with a modulus that is a number', { ...rsa.jwk, n: 5 }],
    ['off its curve', { ...ec.jwk, x: ec.jwk['y'] }],
    ['on another curve', { ...ec.jwk, crv: 'P-384' }],
    ['P-384', generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' })],
    ['for key agreement', { ...ed.jwk, crv: 'X25519' }],
    ['for key agreement, without a use and an algorithm', { ...withoutUse(ed.jwk), crv: 'X25519' }],
    ['of another type with the parameters of RSA', { ...rsa.jwk, kty: 'oct' }],
    ['with an id that is a number', { ...rsa.jwk, kid: 1 }],
    ['RSA, with its private parts', rsa.privateJwk],
    ['P-256, with its private part', ec.privateJwk],
    ['Ed25519, with its private part', ed.privateJwk],
    ...['p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].map((part): [string, unknown] => [
      `with the private part ${part}`,
      { ...rsa.jwk, [part]: 'AA' },
    ]),
  ])('is not usable: %s', (_, jwk) => {
    expect(idsIn(other.jwk, jwk)).toEqual(['other']);
    expect(() => parseKeySet({ keys: [jwk] }, algorithms)).toThrow(
      'The key set of the issuer has no usable key.',
    );
  });

  it('that is not usable is still listed by its id', () => {
    const keys = [ec.jwk, { ...rsa.jwk, use: 'enc' }, null, 'ed', { kid: 1 }];
    expect(parseKeySet({ keys }, algorithms).kids).toEqual(new Set(['ec', 'rsa', 1]));
  });
});

describe('a key set', () => {
  it.each<[string, JsonObject]>([
    ['an object without keys', {}],
    ['an error in JSON', { error: 'not found' }],
    ['keys that are null', { keys: null }],
    ['keys that are an object', { keys: rsa.jwk }],
    ['keys that are a string', { keys: 'rsa' }],
  ])('is not %s', (_, response) => {
    expect(() => parseKeySet(response, algorithms)).toThrow('The response of the issuer is not a key set.');
  });

  it('of 1,500 keys has them all', () => {
    const keys = Array.from({ length: 1500 }, (_, index) => ({ ...ec.jwk, kid: String(index) }));
    expect(keysFor(parseKeySet({ keys }, algorithms), 'ES256', '1499')).toHaveLength(1);
  });
});

describe('a key set with a private key', () => {
  const respelled = (jwk: JsonObject, part: string, spell: (text: string) => string): JsonObject => ({
    ...jwk,
    [part]: spell(String(jwk[part])),
  });
  const spellings: readonly (readonly [string, (text: string) => string])[] = [
    ['as it is', (text) => text],
    ['with padding', (text) => `${text}==`],
    ['with white space', (text) => ` ${text}\n`],
    ['in base64', (text) => Buffer.from(text, 'base64url').toString('base64')],
    ['with a leading zero byte', (text) => withLeadingZero(text)],
  ];
  const withLeadingZero = (text: string): string =>
    Buffer.concat([Buffer.alloc(1), Buffer.from(text, 'base64url')]).toString('base64url');

  it.each(
    [
      { type: 'RSA', key: rsa, part: 'n' },
      { type: 'RSA', key: rsa, part: 'e' },
      { type: 'P-256', key: ec, part: 'x' },
      { type: 'P-256', key: ec, part: 'y' },
      { type: 'Ed25519', key: ed, part: 'x' },
    ].flatMap((each) => spellings.map(([spelling, spell]) => ({ ...each, spelling, spell }))),
  )(
    'has no use for the public half of a private key: $type, with $part $spelling',
    ({ key: { jwk, privateJwk }, part, spell }) => {
      expect(idsIn(respelled(privateJwk, part, spell), jwk, { ...jwk, kid: 'same' }, other.jwk)).toEqual([
        'other',
      ]);
    },
  );

  it('has no use for a key whose private half is damaged', () => {
    expect(idsIn({ ...rsa.jwk, d: 5 }, rsa.jwk, other.jwk)).toEqual(['other']);
  });
});

describe('a key set for other algorithms than those of the stage', () => {
  it('has no usable key', () => {
    expect(() => parseKeySet({ keys: [ec.jwk, ed.jwk] }, ['RS256'])).toThrow('no usable key');
  });
});

describe('the keys for a token', () => {
  const others = [rsaKey('rsa'), rsaKey('other')];
  const keySet = parseKeySet({ keys: [rsa, ec, ...others].map(({ jwk }) => jwk) }, algorithms);
  const textOf = (key: KeyObject): unknown => key.export({ format: 'jwk' })['n'];
  const texts = (...keys: readonly SigningKey[]): readonly unknown[] => keys.map(({ jwk }) => jwk['n']);

  it('are those of its key id and algorithm', () => {
    expect(keysFor(keySet, 'RS256', 'rsa').map(textOf)).toEqual(texts(rsa, ...others.slice(0, 1)));
    expect(keysFor(keySet, 'ES256', 'ec')).toHaveLength(1);
    expect(keysFor(keySet, 'ES256', 'rsa')).toEqual([]);
    expect(keysFor(keySet, 'RS256', 'made-up')).toEqual([]);
  });

  it('are those of its algorithm when it has no key id', () => {
    expect(keysFor(keySet, 'RS256', undefined).map(textOf)).toEqual(texts(rsa, ...others));
  });

  it('are eight at most, without those that cannot be used', () => {
    const unusable = Array.from({ length: 9 }, () => ({ ...ec.jwk, x: ec.jwk['y'] }));
    const keys = [...unusable, ...Array.from({ length: 9 }, () => ecKey('ec').jwk)];
    expect(keysFor(parseKeySet({ keys }, algorithms), 'ES256', 'ec')).toHaveLength(8);
  });

  it('are counted once, however often they are listed', () => {
    const keys = [...Array.from({ length: 8 }, () => ec.jwk), ecKey('ec').jwk];
    expect(keysFor(parseKeySet({ keys }, algorithms), 'ES256', 'ec')).toHaveLength(2);
  });

  it('are imported once', () => {
    const [key] = keysFor(keySet, 'ES256', 'ec');
    expect(keysFor(keySet, 'ES256', 'ec')[0]).toBe(key);
  });
});
