import { createPublicKey, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import { createLocalJWKSet } from 'jose';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Denied, type DenialReason } from '../../../functions/authorizer/denied.ts';
import type { JsonObject } from '../../../functions/authorizer/json-object.ts';
import { cachedKeySet } from '../../../functions/authorizer/key-set.ts';
import { type SignedToken, verifyToken } from '../../../functions/authorizer/signed-token.ts';
import { recordingLog } from '../../support/recording-log.ts';
import {
  ecKey,
  edKey,
  encodePart,
  rsaKey,
  secretKey,
  type SigningKey,
  signToken,
} from '../../support/tokens.ts';

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
    cachedKeySet({ fetchKeySet: () => Promise.resolve({ keys }), now: () => 0, log: recordingLog() }),
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

  it.each<[string, JsonObject]>([
    ['none', { alg: 'none' }],
    ['NONE', { alg: 'NONE' }],
    ['missing', { alg: undefined }],
    ['empty', { alg: '' }],
    ['null', { alg: null }],
    ['a list', { alg: ['RS256'] }],
    ['in small letters', { alg: 'rs256' }],
    ['RS512', { alg: 'RS512' }],
    ['PS256', { alg: 'PS256' }],
    ['HS256', { alg: 'HS256' }],
    ['Ed25519, which RFC 9864 calls EdDSA', { alg: 'Ed25519' }],
  ])('is refused when its algorithm is %s', async (_, header) => {
    await expect(verify(signToken(rsa, header, claims))).rejects.toThrow(denied('algorithm'));
  });

  it('is refused when it carries no signature', async () => {
    const unsigned = `${encodePart({ alg: 'none' })}.${encodePart(claims)}`;
    await expect(verify(`${unsigned}.`)).rejects.toThrow(denied('not-a-signed-token'));
    await expect(verify(`${unsigned}.AA`)).rejects.toThrow(denied('algorithm'));
  });

  it.each([
    ['PEM text', rsaPublicKey.export({ type: 'spki', format: 'pem' })],
    ['older PEM text', rsaPublicKey.export({ type: 'pkcs1', format: 'pem' })],
    ['DER bytes', rsaPublicKey.export({ type: 'spki', format: 'der' })],
    ['JWK text', JSON.stringify(rsa.jwk)],
    ['modulus', Buffer.from(z.string().parse(rsa.jwk['n']), 'base64url')],
  ])('is refused when the issuer’s public key was used as a secret: %s', async (_, secret) => {
    const token = signToken(secretKey('rsa', secret), {}, claims);
    await expect(verify(token)).rejects.toThrow(denied('algorithm'));
    await expect(verifyWith([rsa.jwk], token, [...standard, 'HS256'])).rejects.toThrow(
      denied('unusable-key'),
    );
  });

  it('is refused when its key is symmetric, even if the issuer publishes it and the algorithms allow it', async () => {
    const key = secretKey('secret', 'x'.repeat(32));
    const token = signToken(key, {}, claims);
    await expect(verifyWith([key.jwk], token)).rejects.toThrow(denied('algorithm'));
    await expect(verifyWith([key.jwk], token, ['HS256'])).rejects.toThrow(denied('unusable-key'));
  });

  it.each([1024, 2040])('is refused when its RSA key has %i bits', async (bits) => {
    const key = rsaKey('weak', bits);
    await expect(verifyWith([key.jwk], signToken(key, {}, claims))).rejects.toThrow(denied('unusable-key'));
  });

  it.each<[string, JsonObject]>([
    ['an extension', { crit: ['exp'], exp: 4_000_000_000 }],
    ['an unencoded payload', { crit: ['b64'], b64: false }],
    ['an encoded payload', { crit: ['b64'], b64: true }],
    ['nothing', { crit: [] }],
    ['null', { crit: null }],
    ['a text', { crit: 'exp' }],
  ])('is refused when its header declares as critical %s', async (_, header) => {
    await expect(verify(signToken(rsa, header, claims))).rejects.toThrow(denied('critical-header'));
  });
});

describe('the key of a token', () => {
  it.each<[string, SigningKey, JsonObject]>([
    ['unknown', rsa, { kid: 'other' }],
    ['one of another type', rsa, { kid: 'ec' }],
    ['in other letters', rsa, { kid: 'RSA' }],
    ['empty', rsa, { kid: '' }],
  ])('is refused when its id is %s', async (_, key, header) => {
    await expect(verify(signToken(key, header, claims))).rejects.toThrow(
      denied('unknown-key', z.string().parse(header['kid'])),
    );
  });

  it.each<[string, unknown]>([
    ['a number', 5],
    ['null', null],
    ['a list', ['rsa']],
  ])('is refused when its id is %s', async (_, kid) => {
    await expect(verify(signToken(rsa, { kid }, claims))).rejects.toThrow(denied('unknown-key'));
  });

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

  it('may go without id where only one fits', async () => {
    const token = signToken(rsa, { kid: undefined }, claims);
    expect((await verify(token)).claims).toEqual(claims);
  });
});

describe('a token’s own word on its key', () => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.end(JSON.stringify({ keys: [stranger.jwk] }));
  });
  let url: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${String(z.object({ port: z.number() }).parse(server.address()).port)}/`;
  });
  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
  });

  it.each(['jku', 'x5u', 'jwk', 'x5c', 'x5t'])('is ignored: %s', async (field) => {
    const value = { jwk: stranger.jwk, x5c: ['MIIB'], x5t: 'AA' }[field] ?? url;
    expect((await verify(signToken(rsa, { [field]: value }, claims))).claims).toEqual(claims);
    await expect(verify(signToken(stranger, { [field]: value }, claims))).rejects.toThrow(
      denied('signature'),
    );
    await expect(verify(signToken(stranger, { [field]: value, kid: 'new' }, claims))).rejects.toThrow(
      denied('unknown-key', 'new'),
    );
    expect(requests).toBe(0);
  });
});

describe('a token’s signature', () => {
  const tampered = (token: string, change: JsonObject): string => {
    const [header, , signature] = token.split('.');
    return [header, encodePart({ ...claims, ...change }), signature].join('.');
  };

  it.each([
    ['RS256', rsa],
    ['ES256', ec],
    ['EdDSA', ed],
  ])('is refused when the claims were changed after signing with %s', async (_, key) => {
    await expect(verify(tampered(signToken(key, {}, claims), { sub: 'bob' }))).rejects.toThrow(
      denied('signature'),
    );
  });

  it('is refused when the header was changed after signing', async () => {
    const [, payload, signature] = signToken(rsa, { typ: 'JWT' }, claims).split('.');
    const header = encodePart({ alg: 'RS256', kid: 'rsa', typ: 'at+jwt' });
    await expect(verify([header, payload, signature].join('.'))).rejects.toThrow(denied('signature'));
  });

  it.each([
    ['RS256', rsaKey('rsa')],
    ['ES256', ecKey('ec')],
    ['EdDSA', edKey('ed')],
  ])('is refused when another key than the named one made it, with %s', async (_, key) => {
    await expect(verify(signToken(key, {}, claims))).rejects.toThrow(denied('signature'));
  });

  it.each([
    ['one byte', Buffer.alloc(1)],
    ['zeros', Buffer.alloc(256)],
    ['one byte too many', Buffer.alloc(257)],
  ])('is refused when it is made up: %s', async (_, bytes) => {
    for (const key of [rsa, ec, ed]) {
      const input = signToken(key, {}, claims).split('.').slice(0, 2).join('.');
      await expect(verify(`${input}.${bytes.toString('base64url')}`)).rejects.toThrow(denied('signature'));
    }
  });

  it('is refused when it is an ECDSA signature of zeros', async () => {
    const input = signToken(ec, {}, claims).split('.').slice(0, 2).join('.');
    await expect(verify(`${input}.${Buffer.alloc(64).toString('base64url')}`)).rejects.toThrow(
      denied('signature'),
    );
  });
});

describe('the text of a token', () => {
  const token = signToken(rsa, { typ: 'at+jwt' }, claims);
  const [header = '', payload = '', signature = ''] = token.split('.');
  const malformed = denied('not-a-signed-token');

  /** The same bytes in another text: with a bit set behind the last byte. */
  const withStrayBit = (part: string): string => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const other = part.slice(0, -1) + alphabet.charAt(alphabet.indexOf(part.slice(-1)) + 1);
    expect(Buffer.from(other, 'base64url')).toEqual(Buffer.from(part, 'base64url'));
    return other;
  };
  /** Signed, with a part whose length leaves room for a stray bit. */
  const roomy = (make: (filler: string) => string, index: number): readonly string[] => {
    const parts = ['', 'x', 'xx'].map((filler) => make(filler).split('.'));
    return parts.find((each) => (each[index] ?? '').length % 4 !== 0) ?? [];
  };

  it.each([
    ['nothing', ''],
    ['one part', header],
    ['two parts', `${header}.${payload}`],
    ['four parts', `${token}.${signature}`],
    ['five parts', `${token}.${signature}.${signature}`],
    ['two dots', '..'],
    ['no header', `.${payload}.${signature}`],
    ['no payload', `${header}..${signature}`],
    ['no signature', `${header}.${payload}.`],
    ['padding behind the header', `${header}=.${payload}.${signature}`],
    ['padding behind the payload', `${header}.${payload}=.${signature}`],
    ['padding behind the signature', `${token}==`],
    ['a space in front', ` ${token}`],
    ['a space behind', `${token} `],
    ['a line break behind', `${token}\n`],
    ['a space in the payload', `${header}.${payload.slice(0, 4)} ${payload.slice(4)}.${signature}`],
    ['a line break in the signature', `${header}.${payload}.${signature.slice(0, 8)}\n${signature.slice(8)}`],
    ['plain base64', `${header}.${payload}.${Buffer.from(signature, 'base64url').toString('base64')}`],
    ['one character too many', `${token}AAA`],
    ['characters that are none of base64url', `${header}.${payload}.${signature}!`],
    [
      'a header that is not JSON',
      `${Buffer.from('alg: RS256').toString('base64url')}.${payload}.${signature}`,
    ],
    ['a header that is a list', `${encodePart(['RS256'])}.${payload}.${signature}`],
    ['a header that is null', `${encodePart(null)}.${payload}.${signature}`],
    ['a header that is a text', `${encodePart('RS256')}.${payload}.${signature}`],
    [
      'a header that is not UTF-8',
      `${Buffer.from('{"alg":"RS256","x":"\xff"}', 'latin1').toString('base64url')}.${payload}.${signature}`,
    ],
    [
      'a header behind a byte order mark',
      `${Buffer.from('\ufeff{"alg":"RS256"}').toString('base64url')}.${payload}.${signature}`,
    ],
    ['a JWS in JSON', JSON.stringify({ protected: header, payload, signature })],
  ])('is refused when it is %s', async (_, text) => {
    await expect(verify(text)).rejects.toThrow(malformed);
  });

  it('is refused when bits are set behind the last byte of the signature', async () => {
    await expect(verify(`${header}.${payload}.${withStrayBit(signature)}`)).rejects.toThrow(malformed);
  });

  it('is refused when bits are set behind the last byte of the header', async () => {
    const parts = roomy((filler) => signToken(rsa, { typ: filler }, claims), 0);
    expect((await verify(parts.join('.'))).claims).toEqual(claims);
    await expect(verify([withStrayBit(parts[0] ?? ''), ...parts.slice(1)].join('.'))).rejects.toThrow(
      malformed,
    );
  });

  it('is refused when bits are set behind the last byte of the payload', async () => {
    const [first = '', middle = '', last = ''] = roomy((filler) => signToken(rsa, {}, { filler }), 1);
    await expect(verify(`${first}.${withStrayBit(middle)}.${last}`)).rejects.toThrow(malformed);
  });

  it.each<[string, unknown]>([
    ['a list', [claims]],
    ['a text', 'alice'],
    ['null', null],
    ['a number', 5],
  ])('is refused when its claims are %s, though signed', async (_, value) => {
    await expect(verify(signToken(rsa, {}, value))).rejects.toThrow(malformed);
  });

  it('is refused when any one character was changed', async () => {
    const { jwk } = ec;
    const good = signToken(ec, { typ: 'at+jwt' }, claims);
    const getKey = createLocalJWKSet({ keys: [{ ...jwk, kty: 'EC' }] });
    const replacement = fc.constantFrom(...Array.from('ABZaz09-_.+/= '));
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), replacement, async (index, character) => {
        fc.pre(good[index] !== character);
        const altered = good.slice(0, index) + character + good.slice(index + 1);
        await expect(verifyToken(altered, standard, getKey)).rejects.toBeInstanceOf(Denied);
      }),
      { numRuns: 300 },
    );
  });
});

describe('what is wrong with no token', () => {
  it('is passed on as it is: nobody can decide', async () => {
    const failure = new Error('down');
    const token = signToken(rsa, {}, claims);
    await expect(verifyToken(token, standard, () => Promise.reject(failure))).rejects.toBe(failure);
  });
});
