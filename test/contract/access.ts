import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Answer, send } from './client.ts';
import { getWith, newName, plantsIn } from './plants.ts';
import type { Target, TokenChanges } from './target.ts';

const now = (): number => Math.floor(Date.now() / 1000);

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export const describeAccess = (target: () => Target): void => {
  const expectDenied = ({ status, body }: Answer, what: string): void => {
    expect([status, body], what).toEqual(target().gateway.forbidden);
  };

  it('answers 401 without an Authorization header, or with an empty one', async () => {
    for (const headers of [{}, { authorization: '' }]) {
      const { status, body } = await send(target().baseUrl, '/plants', headers);
      expect([status, body]).toEqual([401, { message: 'Unauthorized' }]);
    }
  });

  it.each(['Bearer', 'bearer', 'BEARER', 'Bearer  ', 'bEaReR     '])(
    'lets in a good token behind "%s"',
    async (scheme) => {
      const authorization = `${scheme} ${await target().token()}`;
      expect((await send(target().baseUrl, '/plants', { authorization })).status).toBe(200);
    },
  );

  it('denies credentials that are not exactly one bearer token', async () => {
    const token = await target().token();
    const headers = [
      token,
      'Bearer',
      `Bearer${token}`,
      `Bearer\t${token}`,
      `Basic ${token}`,
      `Token ${token}`,
      `Bearer "${token}"`,
      `Bearer token=${token}`,
      `Bearer ${token},`,
      `Bearer ${token}, Bearer ${token}`,
      `Bearer ${token} ${token}`,
      [`Bearer ${token}`, `Bearer ${token}`],
      `Bearer ${'a'.repeat(8186)}`,
    ];
    for (const authorization of headers) {
      expectDenied(
        await send(target().baseUrl, '/plants', { authorization }),
        String(authorization).slice(0, 40),
      );
    }
  });

  it('denies a good token of more than 8,192 bytes', async () => {
    expectDenied(await getWith(target(), { claims: { padding: 'x'.repeat(6000) } }), 'long token');
  });

  it('denies texts that are not a token in canonical form', async () => {
    const token = await target().token();
    const [header = '', payload = '', signature = ''] = token.split('.');
    const texts = [
      'x',
      'x.y.z',
      '..',
      `${header}.${payload}`,
      `${header}.${payload}.`,
      `.${payload}.${signature}`,
      `${token}.${signature}`,
      `${token}=`,
      `${header}=.${payload}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -1)}`,
      `${header}.${payload}.${signature.replaceAll('-', '+').replaceAll('_', '/')}=`,
      `${Buffer.from('not json').toString('base64url')}.${payload}.${signature}`,
    ];
    for (const text of texts) {
      expectDenied(await send(target().baseUrl, '/plants', { authorization: `Bearer ${text}` }), text);
    }
  });

  it('denies a token that was altered, unsigned, or signed with another key', async () => {
    const token = await target().token();
    const [header = '', payload = '', signature = ''] = token.split('.');
    const good: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const altered = encode({ ...Object(good), sub: 'somebody else' });
    const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const forged = sign('sha256', Buffer.from(`${header}.${payload}`), foreign).toString('base64url');
    const unsigned = encode({ alg: 'none', typ: 'at+jwt' });
    for (const text of [
      `${header}.${altered}.${signature}`,
      `${header}.${payload}.${forged}`,
      `${unsigned}.${payload}.${signature}`,
      `${unsigned}.${payload}.AA`,
      `${encode({ alg: 'HS256', typ: 'at+jwt' })}.${payload}.${signature}`,
    ]) {
      expectDenied(await send(target().baseUrl, '/plants', { authorization: `Bearer ${text}` }), text);
    }
  });

  const denied: readonly (readonly [string, () => TokenChanges])[] = [
    ['an unknown key id', () => ({ header: { kid: newName('key') } })],
    ['a critical header', () => ({ header: { crit: ['exp'], exp: 1 } })],
    ['another issuer', () => ({ claims: { iss: 'https://issuer.example.org' } })],
    ['no issuer', () => ({ claims: { iss: undefined } })],
    ['another audience', () => ({ claims: { aud: 'another-api' } })],
    ['no audience', () => ({ claims: { aud: undefined } })],
    ['no expiry', () => ({ claims: { exp: undefined } })],
    ['an expiry that is a string', () => ({ claims: { exp: String(now() + 60) } })],
    ['an expiry in the past', () => ({ claims: { exp: now() - 1 } })],
    ['a start in the future', () => ({ claims: { nbf: now() + 60 } })],
    ['an issue time in the future', () => ({ claims: { iat: now() + 60 } })],
    ['no type', () => ({ header: { typ: undefined } })],
    ['the type of an ID token', () => ({ header: { typ: 'JWT' } })],
    ['no subject', () => ({ claims: { sub: undefined } })],
    ['an empty subject', () => ({ claims: { sub: '' } })],
    ['a numeric subject', () => ({ claims: { sub: 7 } })],
    ['a subject of 256 bytes', () => ({ claims: { sub: 'é'.repeat(128) } })],
    ['a subject that is not text', () => ({ claims: { sub: '\ud800' } })],
    ['groups that are not an array', () => ({ claims: { groups: 'gardeners' } })],
    ['groups that are null', () => ({ claims: { groups: null } })],
    ['a group that is a number', () => ({ claims: { groups: ['gardeners', 7] } })],
    ['an empty group', () => ({ claims: { groups: [''] } })],
    ['a group of 256 bytes', () => ({ claims: { groups: ['x'.repeat(256)] } })],
    ['101 groups', () => ({ claims: { groups: Array.from({ length: 101 }, (_, index) => String(index)) } })],
  ];
  it.each(denied)('denies a token with %s', async (what, changes) => {
    expectDenied(await getWith(target(), changes()), what);
  });

  const allowed: readonly (readonly [string, () => TokenChanges])[] = [
    ['one audience of several', () => ({ claims: { aud: ['another-api', target().audience] } })],
    ['the type in full and in capitals', () => ({ header: { typ: 'application/AT+JWT' } })],
    ['a start within the tolerance', () => ({ claims: { nbf: now() + 3, iat: now() + 3 } })],
    ['no groups claim', () => ({ claims: { groups: undefined } })],
    ['a subject of 255 bytes', () => ({ claims: { sub: newName('é').padEnd(253, 'x') } })],
    [
      '100 groups',
      () => ({ claims: { groups: Array.from({ length: 100 }, (_, index) => newName(String(index))) } }),
    ],
    [
      'pointers to other keys, which are ignored',
      () => ({ header: { jku: 'https://example.org', x5u: 'x', jwk: {}, x5c: [] } }),
    ],
  ];
  it.each(allowed)('lets in a token with %s', async (_what, changes) => {
    expect(plantsIn(await getWith(target(), changes()))).toEqual([]);
  });

  it('turns away a caller whose token has run out since it was accepted', async () => {
    const authorization = `Bearer ${await target().token({ claims: { exp: now() + 3 } })}`;
    const ask = (): Promise<Answer> => send(target().baseUrl, '/plants', { authorization });
    expect((await ask()).status).toBe(200);
    await expect.poll(async () => (await ask()).status, { interval: 500, timeout: 20_000 }).not.toBe(200);
    // The function says so behind a gateway that kept the answer, the authorizer behind one that did not.
    const answer = await ask();
    if (answer.status === 401) expect(answer).toMatchObject({ body: { error: 1004 } });
    else expectDenied(answer, 'a token that ran out');
  });

  describe('a token’s claims', () => {
    it('never show in an answer', async () => {
      const sub = newName('secret');
      const answer = await getWith(target(), { claims: { sub, aud: 'another-api' } });
      expect(JSON.stringify([answer.body, answer.headers])).not.toContain(sub);
    });
  });
};
