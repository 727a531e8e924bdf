import { describe, expect, it } from 'vitest';
import { authorize, type Decision, type Dependencies } from '../../../functions/authorizer/authorize.ts';
import type { DenialReason } from '../../../functions/authorizer/denied.ts';
import type { JsonObject } from '../../../functions/authorizer/json-object.ts';
import { cachedKeySet, KeySetUnavailable } from '../../../functions/authorizer/key-set.ts';
import type { TokenPolicy } from '../../../functions/authorizer/token-policy.ts';
import { type RecordingLog, recordingLog } from '../../support/recording-log.ts';
import {
  ecKey,
  edKey,
  encodePart,
  rsaKey,
  secretKey,
  type SigningKey,
  signToken,
} from '../../support/tokens.ts';

const now = Date.UTC(2030, 0, 1);
const seconds = now / 1000;

const rsa = rsaKey('rsa-1');
const ec = ecKey('ec-1');
const ed = edKey('ed-1');
const weak = rsaKey('weak-1', 1024);
const secret = secretKey('secret-1', 'a secret that the issuer keeps!!');
const stranger = rsaKey('rsa-1');

const policy: TokenPolicy = {
  profile: { name: 'rfc9068', audience: 'plant-store' },
  issuer: 'https://login.example.com/',
  algorithms: ['RS256', 'ES256', 'EdDSA'],
  groupsClaim: 'groups',
};
const goodClaims = {
  iss: 'https://login.example.com/',
  aud: 'plant-store',
  sub: 'auth0|alice',
  groups: ['gardeners', 'buyers'],
  email: 'alice@example.com',
  iat: seconds - 10,
  nbf: seconds - 10,
  exp: seconds + 300,
};

const tokenWith = (key: SigningKey, claims: JsonObject = {}, header: JsonObject = {}): string =>
  signToken(key, { typ: 'at+jwt', ...header }, { ...goodClaims, ...claims });

const published = [rsa, ec, ed, weak, secret].map(({ jwk }) => jwk);

const decide = async (
  authorization: string,
  dependencies: Partial<Dependencies> = {},
): Promise<{ readonly decision: Decision; readonly log: RecordingLog }> => {
  const log = recordingLog();
  const getKey = cachedKeySet({
    fetchKeySet: () => Promise.resolve({ keys: published }),
    now: () => now,
    log,
  });
  return {
    decision: await authorize({ policy, getKey, now: () => now, log, ...dependencies }, authorization),
    log,
  };
};

/** Nothing a token says may reach the log. */
const expectNothingOf = (authorization: string, { entries }: RecordingLog): void => {
  const text = JSON.stringify(entries);
  const parts = authorization.split(/[ .,=]+/).filter((part) => part.length > 7);
  for (const secretText of [
    ...parts,
    'alice',
    'gardeners',
    'buyers',
    'login.example',
    'plant-store',
    'eyJ',
  ]) {
    expect(text).not.toContain(secretText);
  }
};

describe('a caller with a good token', () => {
  it.each([
    ['RS256', rsa],
    ['ES256', ec],
    ['EdDSA', ed],
  ])('comes in with subject, groups and expiry and nothing else, and without a trace: %s', async (_, key) => {
    const { decision, log } = await decide(`Bearer ${tokenWith(key)}`);
    expect(decision).toEqual({
      isAuthorized: true,
      context: { subject: 'auth0|alice', groups: ['gardeners', 'buyers'], expiresAt: seconds + 300 },
    });
    expect(log.entries).toEqual([]);
  });

  it.each(['jku', 'x5u', 'jwk', 'x5c'])(
    'comes in also with %s in the header, which is ignored',
    async (field) => {
      const value = { jwk: stranger.jwk, x5c: ['MIIB'] }[field] ?? 'https://evil.example.com/keys';
      const { decision } = await decide(`Bearer ${tokenWith(rsa, {}, { [field]: value })}`);
      expect(decision.isAuthorized).toBe(true);
    },
  );

  it('comes in with the scheme in any case and more spaces', async () => {
    const { decision } = await decide(`bEARER   ${tokenWith(ec)}`);
    expect(decision.isAuthorized).toBe(true);
  });

  it('comes in with a token of the profile oidc where the stage takes those', async () => {
    const profile = { name: 'oidc', audience: 'plant-store' } as const;
    for (const typ of ['JWT', undefined]) {
      const { decision } = await decide(`Bearer ${tokenWith(ec, {}, { typ })}`, {
        policy: { ...policy, profile },
      });
      expect(decision.isAuthorized).toBe(true);
    }
  });

  it('comes in with a token of Cognito where the stage takes those', async () => {
    const claims = { aud: undefined, groups: undefined, token_use: 'access', client_id: 'web' };
    const { decision } = await decide(
      `Bearer ${tokenWith(rsa, { ...claims, 'cognito:groups': ['gardeners'] }, { typ: undefined })}`,
      {
        policy: {
          ...policy,
          profile: { name: 'cognito', clientIds: ['web'] },
          groupsClaim: 'cognito:groups',
        },
      },
    );
    expect(decision).toHaveProperty('context.groups', ['gardeners']);
  });
});

const good = tokenWith(ec);
const [header = '', payload = '', signature = ''] = good.split('.');

const unsigned = `${encodePart({ alg: 'none', typ: 'at+jwt' })}.${payload}.`;
const publicKeyAsSecret = secretKey('rsa-1', JSON.stringify(rsa.jwk));
const manyGroups = Array.from({ length: 101 }, (_, index) => `group-${String(index)}`);

const denied: readonly (readonly [DenialReason, string, string])[] = [
  ['not-a-bearer-token', 'an empty header', ''],
  ['not-a-bearer-token', 'the token without scheme', good],
  ['not-a-bearer-token', 'another scheme', `Basic ${good}`],
  ['not-a-bearer-token', 'two credentials joined by a comma', `Bearer ${good}, Bearer ${good}`],
  ['not-a-bearer-token', 'white space behind the token', `Bearer ${good} `],
  ['not-a-bearer-token', 'more than 8,192 bytes', `Bearer ${tokenWith(ec, { x: 'x'.repeat(6000) })}`],
  ['not-a-signed-token', 'no JWT', 'Bearer 2YotnFZFEjr1zCsicMWpAA'],
  ['not-a-signed-token', 'four parts', `Bearer ${good}.${signature}`],
  ['not-a-signed-token', 'padding', `Bearer ${good}==`],
  ['not-a-signed-token', 'an unsigned token', `Bearer ${unsigned}`],
  ['algorithm', 'an algorithm of none', `Bearer ${unsigned}AA`],
  ['algorithm', 'a symmetric key', `Bearer ${tokenWith(secret)}`],
  ['algorithm', 'the issuer’s public key as a secret', `Bearer ${tokenWith(publicKeyAsSecret)}`],
  ['algorithm', 'an algorithm the stage does not allow', `Bearer ${tokenWith(rsa, {}, { alg: 'RS512' })}`],
  ['critical-header', 'a critical extension', `Bearer ${tokenWith(ec, {}, { crit: ['b64'], b64: true })}`],
  ['unusable-key', 'an RSA key of 1,024 bits', `Bearer ${tokenWith(weak)}`],
  ['unknown-key', 'a key the issuer does not publish', `Bearer ${tokenWith(ec, {}, { kid: 'ec-2' })}`],
  ['signature', 'the signature of somebody else', `Bearer ${tokenWith(stranger)}`],
  ['signature', 'a key of its own in the header', `Bearer ${tokenWith(stranger, {}, { jwk: stranger.jwk })}`],
  ['signature', 'claims of somebody else', `Bearer ${header}.${encodePart({ sub: 'bob' })}.${signature}`],
  ['issuer', 'another issuer', `Bearer ${tokenWith(ec, { iss: 'https://evil.example.com/' })}`],
  ['audience', 'another audience', `Bearer ${tokenWith(ec, { aud: 'tree-store' })}`],
  ['lifetime', 'no expiry', `Bearer ${tokenWith(ec, { exp: undefined })}`],
  ['lifetime', 'an expiry that is past', `Bearer ${tokenWith(ec, { exp: seconds })}`],
  ['lifetime', 'a beginning ahead', `Bearer ${tokenWith(ec, { nbf: seconds + 6 })}`],
  ['lifetime', 'an issue ahead', `Bearer ${tokenWith(ec, { iat: seconds + 6 })}`],
  ['token-type', 'the type of an identity token', `Bearer ${tokenWith(ec, {}, { typ: 'JWT' })}`],
  ['subject', 'no subject', `Bearer ${tokenWith(ec, { sub: undefined })}`],
  ['subject', 'an empty subject', `Bearer ${tokenWith(ec, { sub: '' })}`],
  ['subject', 'a subject that is a number', `Bearer ${tokenWith(ec, { sub: 12_345_678 })}`],
  ['subject', 'a subject of 256 bytes', `Bearer ${tokenWith(ec, { sub: 'é'.repeat(128) })}`],
  ['groups', 'groups in a text', `Bearer ${tokenWith(ec, { groups: 'gardeners buyers' })}`],
  ['groups', '101 groups', `Bearer ${tokenWith(ec, { groups: manyGroups })}`],
];

describe('a caller is turned away', () => {
  it.each(denied)('for the reason %s: %s', async (reason, _, authorization) => {
    const { decision, log } = await decide(authorization);
    expect(decision).toEqual({ isAuthorized: false });
    const kid = reason === 'unknown-key' ? 'ec-2' : undefined;
    expect(log.entries).toEqual([['info', { event: 'denied', reason, kid }]]);
    expectNothingOf(authorization, log);
  });

  it.each<[DenialReason, JsonObject]>([
    ['token-use', { token_use: 'id', client_id: 'web' }],
    ['client', { token_use: 'access', client_id: 'admin' }],
  ])('for the %s of a Cognito token', async (reason, claims) => {
    const { decision, log } = await decide(`Bearer ${tokenWith(rsa, claims)}`, {
      policy: { ...policy, profile: { name: 'cognito', clientIds: ['web'] } },
    });
    expect(decision).toEqual({ isAuthorized: false });
    expect(log.entries).toEqual([['info', { event: 'denied', reason, kid: undefined }]]);
  });
});

describe('while the key set cannot be fetched', () => {
  const outage = (): {
    readonly dependencies: Dependencies;
    readonly log: RecordingLog;
    pass: (ms: number) => void;
  } => {
    let elapsed = 0;
    let fetches = 0;
    const log = recordingLog();
    const clock = (): number => now + elapsed;
    const getKey = cachedKeySet({
      fetchKeySet: () => {
        fetches += 1;
        return fetches === 1 ? Promise.resolve({ keys: published }) : Promise.reject(new Error('down'));
      },
      now: clock,
      log,
    });
    return {
      dependencies: { policy, getKey, now: clock, log },
      log,
      pass: (milliseconds) => {
        elapsed += milliseconds;
      },
    };
  };
  const lasting = `Bearer ${tokenWith(ec, { exp: seconds + 7200 })}`;

  it('nobody is decided upon where no copy is held: the gateway would keep a no', async () => {
    const log = recordingLog();
    const getKey = cachedKeySet({
      fetchKeySet: () => Promise.reject(new Error('down')),
      now: () => now,
      log,
    });
    await expect(authorize({ policy, getKey, now: () => now, log }, lasting)).rejects.toThrow(
      KeySetUnavailable,
    );
    expect(log.entries).toEqual([]);
  });

  it('a younger copy lets in and turns away, with a warning that tells nothing', async () => {
    const { dependencies, log, pass } = outage();
    await authorize(dependencies, lasting);
    pass(30 * 60 * 1000);
    expect((await authorize(dependencies, lasting)).isAuthorized).toBe(true);
    expect((await authorize(dependencies, `Bearer ${tokenWith(stranger)}`)).isAuthorized).toBe(false);
    expect(log.entries).toEqual([
      ['warn', { event: 'key-set-refresh-failed', ageSeconds: 1800 }],
      ['info', { event: 'denied', reason: 'signature', kid: undefined }],
    ]);
    expectNothingOf(lasting, log);
  });

  it('nobody is decided upon by a copy of an hour', async () => {
    const { dependencies, pass } = outage();
    await authorize(dependencies, lasting);
    pass(60 * 60 * 1000);
    await expect(authorize(dependencies, lasting)).rejects.toThrow(KeySetUnavailable);
  });

  it('what is no token of the issuer’s kind is turned away all the same', async () => {
    const getKey = (): never => {
      throw new Error('must not be asked');
    };
    for (const authorization of ['', 'Bearer x', `Bearer ${unsigned}AA`, `Bearer ${tokenWith(secret)}`]) {
      expect((await decide(authorization, { getKey })).decision).toEqual({ isAuthorized: false });
    }
  });
});
