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
import { ecKey, edKey, rsaKey, secretKey, signToken } from '../../support/tokens.ts';

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
  it.each([
    ['RS256', rsa],
    ['ES256', ec],
    ['EdDSA', ed],
  ])('is accepted with %s', async (alg, key) => {
    expect(await verify(signToken(key, { typ: 'at+jwt' }, claims))).toEqual({
      header: { alg, kid: key.kid, typ: 'at+jwt' },
      claims,
    });
  });

  it.each([
    ['RS256', rsa],
    ['ES256', ec],
    ['EdDSA', ed],
  ])('is refused when %s is not among the algorithms', async (alg, key) => {
    const others = standard.filter((each) => each !== alg);
    await expect(verifyWith([key.jwk], signToken(key, {}, claims), others)).rejects.toThrow(
      denied('algorithm'),
    );
  });

  it.each([
    ['PEM text', rsaPublicKey.export({ type: 'spki', format: 'pem' })],
    ['older PEM text', rsaPublicKey.export({ type: 'pkcs1', format: 'pem' })],
    ['DER bytes', rsaPublicKey.export({ type: 'spki', format: 'der' })],
    ['JWK text', JSON.stringify(rsa.jwk)],
    ['modulus', Buffer.from(z.string().parse(rsa.jwk['n']), 'base64url')],
  ])(
    'is refused when the issuer’s public key was used as a secret, even if the algorithms allow it: %s',
    async (_, secret) => {
      const token = signToken(secretKey('rsa', secret), {}, claims);
      await expect(verifyWith([rsa.jwk], token, [...standard, 'HS256'])).rejects.toThrow(
        denied('unusable-key'),
      );
    },
  );

  it('is refused when it says that it needs no signature, even if the algorithms allow it', async () => {
    const token = signToken(rsa, { alg: 'none' }, claims);
    await expect(verifyWith([rsa.jwk], token, ['none'])).rejects.toThrow(denied('unusable-key'));
  });

  it('is refused when its key is symmetric, even if the issuer publishes it and the algorithms allow it', async () => {
    const key = secretKey('secret', 'x'.repeat(32));
    const token = signToken(key, {}, claims);
    await expect(verifyWith([key.jwk], token, ['HS256'])).rejects.toThrow(denied('unusable-key'));
  });

  it.each([1024, 2040])('is refused when its RSA key has %i bits', async (bits) => {
    const key = rsaKey('weak', bits);
    await expect(verifyWith([key.jwk], signToken(key, {}, claims))).rejects.toThrow(denied('unusable-key'));
  });
});

describe('the key of a token', () => {
  it.each<[string, JsonObject]>([
    ['encryption', { use: 'enc' }],
    ['signing only', { key_ops: ['sign'] }],
    ['another algorithm', { alg: 'RS512' }],
  ])('is refused when the issuer published it for %s', async (_, change) => {
    await expect(verifyWith([{ ...rsa.jwk, ...change }], signToken(rsa, {}, claims))).rejects.toThrow(
      denied('unknown-key', 'rsa'),
    );
  });

  it.each<[string, JsonObject]>([
    ['its modulus', { n: undefined }],
    ['its exponent', { e: undefined }],
  ])('is refused when the issuer published it without %s', async (_, change) => {
    await expect(verifyWith([{ ...rsa.jwk, ...change }], signToken(rsa, {}, claims))).rejects.toThrow(
      denied('unusable-key'),
    );
  });

  it('is refused when the issuer published two that fit', async () => {
    await expect(verifyWith([rsa.jwk, stranger.jwk], signToken(rsa, {}, claims))).rejects.toThrow(
      denied('unusable-key'),
    );
  });
});

describe('a place of keys that a token names', () => {
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

  it.each(['jku', 'x5u'])('is not followed: %s', async (field) => {
    expect((await verify(signToken(rsa, { [field]: url }, claims))).claims).toEqual(claims);
    await expect(verify(signToken(stranger, { [field]: url, kid: 'new' }, claims))).rejects.toThrow(
      denied('unknown-key', 'new'),
    );
    expect(requests).toBe(0);
  });
});

describe('what is wrong with no token', () => {
  it('is passed on as it is: nobody can decide', async () => {
    const failure = new Error('down');
    const token = signToken(rsa, {}, claims);
    await expect(verifyToken(token, standard, () => Promise.reject(failure))).rejects.toBe(failure);
  });
});
