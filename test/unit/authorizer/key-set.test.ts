import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../functions/shared/json-object.ts';
import { algorithms, keysFor, parseKeySet } from '../../../functions/authorizer/key-set.ts';
import { ecKey, edKey, rsaKey } from '../../support/tokens.ts';

const [rsa, ec, ed, other] = [rsaKey('rsa'), ecKey('ec'), edKey('ed'), ecKey('other')];

/** The ids of the keys that can verify. */
const idsIn = (...keys: readonly unknown[]): readonly unknown[] =>
  parseKeySet({ keys }, algorithms).keys.map(({ kid }) => kid);

const withoutUse = ({ kty, crv, n, e, x, y, kid }: JsonObject): JsonObject => ({ kty, crv, n, e, x, y, kid });

describe('a key', () => {
  it.each<[string, JsonObject]>([
    ['Ed25519, by the name of RFC 9864', { ...ed.jwk, alg: 'Ed25519' }],
    ['RSA, without a use and an algorithm', withoutUse(rsa.jwk)],
    ['P-256, without a use and an algorithm', withoutUse(ec.jwk)],
    ['Ed25519, without a use and an algorithm', withoutUse(ed.jwk)],
    ['for verifying, among other operations', { ...rsa.jwk, key_ops: ['encrypt', 'verify'] }],
  ])('is usable: %s', (_, jwk) => {
    expect(idsIn(jwk)).toEqual([jwk['kid']]);
  });

  it.each<[string, unknown]>([
    ['a list', [rsa.jwk]],
    ['RSA of 2,040 bits', rsaKey('weak', 2040).jwk],
    ['for encryption', { ...rsa.jwk, use: 'enc' }],
    ['for signing only', { ...rsa.jwk, key_ops: ['sign'] }],
    ['for an operation in a string', { ...rsa.jwk, key_ops: 'verify' }],
    ['for another algorithm of its type', { ...rsa.jwk, alg: 'RS512' }],
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

  it('that is not usable is still listed by its id', () => {
    const keys = [ec.jwk, { ...rsa.jwk, use: 'enc' }, null, 'ed', { kid: 1 }];
    expect(parseKeySet({ keys }, algorithms).kids).toEqual(new Set(['ec', 'rsa', 1]));
    // Nor is one for an algorithm that the stage does not allow.
    expect(() => parseKeySet({ keys }, ['EdDSA'])).toThrow('NoUsableKey');
  });

  const inBase64 = (text: string): Buffer => Buffer.from(text, 'base64url');
  it.each<[string, (text: string) => string]>([
    ['as it is', (text) => text],
    ['with padding', (text) => `${text}==`],
    ['with white space', (text) => ` ${text}\n`],
    ['in base64', (text) => inBase64(text).toString('base64')],
    ['with a leading zero byte', (text) => inBase64(`AAAA${text}`).subarray(2).toString('base64url')],
  ])('is not usable when its private half is published, with any part written %s', (_, spell) => {
    const parts = [
      [rsa, 'n'],
      [rsa, 'e'],
      [ec, 'x'],
      [ec, 'y'],
      [ed, 'x'],
    ] as const;
    for (const [{ jwk, privateJwk }, part] of parts) {
      const spelled = { ...privateJwk, [part]: spell(String(privateJwk[part])) };
      expect(idsIn(spelled, jwk, { ...jwk, kid: 'same' }, other.jwk)).toEqual(['other']);
    }
  });

  it('is not usable when a damaged private half of it is published', () => {
    expect(idsIn({ ...rsa.jwk, d: 5 }, rsa.jwk, other.jwk)).toEqual(['other']);
  });
});

it.each([{}, { keys: null }, { keys: rsa.jwk }, { keys: 'rsa' }])('a key set is not %j', (response) => {
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

  it('are eight at most, each counted once, without those that cannot be used', () => {
    const repeated = Array.from({ length: 8 }, () => ec.jwk);
    const unusable = Array.from({ length: 9 }, () => ({ ...ec.jwk, x: ec.jwk['y'] }));
    const usable = (count: number) => Array.from({ length: count }, () => ecKey('ec').jwk);
    const found = (...keys: readonly JsonObject[]) =>
      keysFor(parseKeySet({ keys }, algorithms), 'ES256', 'ec').length;
    expect(found(...repeated, ...unusable, ...usable(1))).toBe(2);
    expect(found(...unusable, ...usable(9))).toBe(8);
  });
});
