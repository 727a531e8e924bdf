import { createPublicKey, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Denied, type DenialReason } from '../../../functions/authorizer/denied.ts';
import type { JsonObject } from '../../../functions/authorizer/json-object.ts';
import { cachedJwks } from '../../../functions/authorizer/jwks.ts';
import { type SignedToken, verifyToken } from '../../../functions/authorizer/signed-token.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { ecKey, edKey, rsaKey, secretKey, type SigningKey, signToken } from '../../support/tokens.ts';

const rsa = rsaKey('rsa');
const ec = ecKey('ec');
const ed = edKey('ed');
const stranger = rsaKey('rsa');
const claims = { sub: 'alice' };
const standard = ['RS256', 'ES256', 'EdDSA'];

const verifyWith = (
  keys: readonly JsonObject[],
  token: string,
  algorithms: readonly string[] = standard,
): Promise<SignedToken> =>
  verifyToken(
    token,
    algorithms,
    cachedJwks({ fetchJwks: () => Promise.resolve({ keys }), now: () => 0, log: recordingLog() }),
  );

const verify = (token: string): Promise<SignedToken> => verifyWith([rsa.jwk, ec.jwk, ed.jwk], token);

const denied = (reason: DenialReason, kid?: string): Denied => new Denied(reason, { kid });
const rsaPublicKey: KeyObject = createPublicKey({ key: { ...rsa.jwk }, format: 'jwk' });

describe('a signed token', () => {
  const keys: readonly [string, SigningKey][] = [
    ['RS256', rsa],
    ['ES256', ec],
    ['EdDSA', ed],
  ];

  it.each(keys)('is accepted with %s', async (alg, key) => {
    expect(await verify(signToken(key, { typ: 'at+jwt' }, claims))).toEqual({
      header: { alg, kid: key.kid, typ: 'at+jwt' },
      claims,
    });
  });

  it.each(keys)('is denied when %s is not among the algorithms', async (alg, key) => {
    const others = standard.filter((each) => each !== alg);
    await expect(verifyWith([key.jwk], signToken(key, {}, claims), others)).rejects.toThrow(
      denied('algorithm'),
    );
  });

  it.each([
    ['PEM', rsaPublicKey.export({ type: 'spki', format: 'pem' })],
    ['PKCS #1 PEM', rsaPublicKey.export({ type: 'pkcs1', format: 'pem' })],
    ['DER', rsaPublicKey.export({ type: 'spki', format: 'der' })],
    ['a JWK', JSON.stringify(rsa.jwk)],
    ['its modulus', Buffer.from(z.string().parse(rsa.jwk['n']), 'base64url')],
  ])(
    'is denied when the issuer’s public key was used as a secret, even if the algorithms allow it: %s',
    async (_, secret) => {
      const token = signToken(secretKey('rsa', secret), {}, claims);
      await expect(verifyWith([rsa.jwk], token, [...standard, 'HS256'])).rejects.toThrow(
        denied('unusable-key'),
      );
    },
  );

  it('is denied with the algorithm none, even if the algorithms allow it', async () => {
    const token = signToken(rsa, { alg: 'none' }, claims);
    await expect(verifyWith([rsa.jwk], token, ['none'])).rejects.toThrow(denied('unusable-key'));
  });

  it('is denied with a symmetric key, even if the issuer publishes it and the algorithms allow it', async () => {
    const key = secretKey('secret', 'x'.repeat(32));
    const token = signToken(key, {}, claims);
    await expect(verifyWith([key.jwk], token, ['HS256'])).rejects.toThrow(denied('unusable-key'));
  });

  it.each([1024, 2040])('is denied when its RSA key has %i bits', async (bits) => {
    const key = rsaKey('weak', bits);
    await expect(verifyWith([key.jwk], signToken(key, {}, claims))).rejects.toThrow(denied('unusable-key'));
  });
});

describe('the key of a token', () => {
  it.each<[string, JsonObject]>([
    ['encryption', { use: 'enc' }],
    ['signing only', { key_ops: ['sign'] }],
    ['another algorithm', { alg: 'RS512' }],
  ])('is refused when the issuer publishes it for %s', async (_, change) => {
    await expect(verifyWith([{ ...rsa.jwk, ...change }], signToken(rsa, {}, claims))).rejects.toThrow(
      denied('unknown-key', 'rsa'),
    );
  });

  it.each<[string, JsonObject]>([
    ['its modulus', { n: undefined }],
    ['its exponent', { e: undefined }],
  ])('is refused when the issuer publishes it without %s', async (_, change) => {
    await expect(verifyWith([{ ...rsa.jwk, ...change }], signToken(rsa, {}, claims))).rejects.toThrow(
      denied('unusable-key'),
    );
  });

  it('is refused when the issuer publishes two matching keys', async () => {
    await expect(verifyWith([rsa.jwk, stranger.jwk], signToken(rsa, {}, claims))).rejects.toThrow(
      denied('unusable-key'),
    );
  });
});

describe('a key URL in a token', () => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.end(JSON.stringify({ keys: [stranger.jwk] }));
  });
  let url: string;
  beforeAll(async () => {
    url = await startServer(server);
  });
  afterAll(() => stopServer(server));

  it.each(['jku', 'x5u'])('is not fetched: %s', async (field) => {
    expect((await verify(signToken(rsa, { [field]: url }, claims))).claims).toEqual(claims);
    await expect(verify(signToken(stranger, { [field]: url, kid: 'new' }, claims))).rejects.toThrow(
      denied('unknown-key', 'new'),
    );
    expect(requests).toBe(0);
  });
});

describe('a failure to find the key', () => {
  it('is thrown unchanged, because it is not a denial', async () => {
    const failure = new Error('down');
    const token = signToken(rsa, {}, claims);
    await expect(verifyToken(token, standard, () => Promise.reject(failure))).rejects.toBe(failure);
  });
});
