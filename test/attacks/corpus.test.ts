// The suite `tokens` proves: no attack on a token gets past the authorizer; `npm test` includes these cases. It
// cannot find a weakness of the algorithms, or of the crypto module of Node.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { JwksUnavailable } from '../../functions/authorizer/jwks.ts';
import type { Environment } from '../../functions/shared/environment.ts';
import { issuerOf } from '../support/issuer.ts';
import { partsOf, rsaKey, textOf } from '../support/tokens.ts';
import { callerIdOf } from '../../functions/authorizer/authorize.ts';
import { callerIdSalt, startAuthorizer } from './authorizer.ts';
import { corpus } from './corpus.ts';
import type { Entry } from './entry.ts';
import { cognitoEntries, oidcEntries, scopeEntries } from './profiles.ts';

const issuer = issuerOf(rsaKey('rsa-1'), 'https://login.example.com', 'plant-store');

const claimsSchema = z.looseObject({ sub: z.string(), exp: z.number() });
const headerSchema = z.object({ kid: z.string().optional().catch(undefined) });

/** The token's header and claims in an Authorization header. */
const readToken = (header: string): readonly [header: unknown, claims: unknown] => {
  const [head, payload] = partsOf(header.replace(/^.* /, ''));
  return [JSON.parse(textOf(head)), JSON.parse(textOf(payload))];
};

/** The context for the claims of a valid token. */
const contextIn = (header: string, groupsClaim = 'groups'): unknown => {
  const claims = claimsSchema.parse(readToken(header)[1]);
  return {
    subject: claims.sub,
    groups: claims[groupsClaim] ?? [],
    expiresAt: claims.exp,
    callerId: callerIdOf(callerIdSalt, issuer.name, claims.sub),
  };
};

/** The key id in a log: at most 64 characters, with a question mark for each that is not printable ASCII. */
const loggedKid = (header: string): string | undefined =>
  headerSchema
    .parse(readToken(header)[0])
    .kid?.slice(0, 64)
    .replaceAll(/[^\x20-\x7e]/g, '?');

/** Expects the entry's decision and its log entry. */
const expectDecision = async (
  { authorization, expected, jwks }: Entry,
  environment: Environment = {},
): Promise<void> => {
  const values = authorization(issuer);
  // The gateway joins repeated headers with commas.
  const header = Array.isArray(values) ? values.join(',') : (values ?? '');
  const { decide, log } = await startAuthorizer(issuer, jwks, environment);
  switch (expected) {
    case 'undecided':
      await expect(decide(header)).rejects.toThrow(JwksUnavailable);
      expect(log.entries.at(-1)).toEqual([
        'error',
        {
          event: 'undecided',
          cause: 'JwksUnavailable',
          reason: jwks === 'copy of 59 minutes' ? 'unknown-key' : undefined,
        },
      ]);
      break;
    case 'allowed': {
      const context = contextIn(header, environment['GROUPS_CLAIM']);
      expect(await decide(header)).toEqual({ isAuthorized: true, context });
      break;
    }
    default: {
      expect(await decide(header)).toEqual({ isAuthorized: false });
      // The authorizer denies a request without an identity, even if a gateway invokes it.
      const reason = expected === 'no-identity' ? 'not-a-bearer-token' : expected;
      const isAboutKey = reason === 'unknown-key' || reason === 'unusable-key';
      const kid = isAboutKey ? loggedKid(header) : undefined;
      expect(log.entries).toContainEqual(['info', { event: 'denied', reason, kid }]);
    }
  }
  const isDenied = expected !== 'allowed' && expected !== 'undecided';
  const levels = [
    ...(jwks === 'copy of 59 minutes' ? ['warn'] : []),
    ...(expected === 'undecided' && jwks !== 'copy of 59 minutes' ? ['error'] : []),
    ...(expected === 'undecided' ? ['error'] : []),
    ...(isDenied ? ['info'] : []),
  ];
  expect(log.entries.map(([level]) => level)).toEqual(levels);
  const written = JSON.stringify(log.entries);
  const secrets = header.split(/[ .,=]+/).filter((part) => part.length > 7);
  for (const text of [...secrets, issuer.name, issuer.audience, 'somebody']) {
    expect(written).not.toContain(text);
  }
};

describe.each(Object.entries(corpus))('%s:', (_, entries) => {
  it.each(entries)('$name: $expected', async (entry) => {
    await expectDecision(entry);
  });
});

describe('in a stage with the profile oidc:', () => {
  it.each(oidcEntries)('$name: $expected', async (entry) => {
    await expectDecision(entry, { TOKEN_PROFILE: 'oidc' });
  });
});

describe('in a stage that requires a scope:', () => {
  it.each(scopeEntries)('$name: $expected', async (entry) => {
    await expectDecision(entry, { REQUIRED_SCOPE: 'plants:read' });
  });
});

describe('in a stage with the profile cognito:', () => {
  it.each(cognitoEntries)('$name: $expected', async (entry) => {
    await expectDecision(entry, {
      TOKEN_PROFILE: 'cognito',
      CLIENT_IDS: 'web,phone',
      GROUPS_CLAIM: 'cognito:groups',
    });
  });
});
