// The suite `tokens` proves: the authorizer denies every attack of this corpus; `npm test` includes it.
// It cannot find a weakness of the algorithms, or of the crypto module of Node.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { callerIdOf } from '../../functions/authorizer/authorize.ts';
import { JwksUnavailable } from '../../functions/authorizer/jwks.ts';
import type { Environment } from '../../functions/shared/environment.ts';
import { type Issuer, issuerOf, type TokenChanges } from '../support/issuer.ts';
import { partsOf, rsaKey, textOf } from '../support/tokens.ts';
import { callerIdSalt, gatewayRequestId, startAuthorizer } from './authorizer.ts';
import type { Entry } from './entry.ts';
import { stages } from './profiles.ts';

const { token: sign, ...issuer } = issuerOf(rsaKey('rsa-1'), 'https://login.example.com', 'plant-store');

/** The issuer of a stage whose valid tokens have these differences. */
const issuerWith = ({ header, claims }: TokenChanges): Issuer => ({
  ...issuer,
  token: (changes = {}) =>
    sign({
      ...changes,
      header: { ...header, ...changes.header },
      claims: { ...claims, ...changes.claims },
    }),
});

/** The JSON of a part of the token in an Authorization header. */
const partIn = (header: string, part: 0 | 1): unknown =>
  JSON.parse(textOf(partsOf(header.replace(/^.* /, ''))[part]));

/** The context for the claims of a valid token. */
const contextIn = (header: string, groupsClaim = 'groups'): unknown => {
  const claims = z.looseObject({ sub: z.string(), exp: z.number() }).parse(partIn(header, 1));
  const callerId = callerIdOf(callerIdSalt, issuer.name, claims.sub);
  return { subject: claims.sub, groups: claims[groupsClaim] ?? [], expiresAt: claims.exp, callerId };
};

/** The key id in a log: at most 64 characters, with a question mark for each that is not printable ASCII. */
const loggedKid = (header: string): string | undefined =>
  z
    .object({ kid: z.string().optional().catch(undefined) })
    .parse(partIn(header, 0))
    .kid?.slice(0, 64)
    .replaceAll(/[^\x20-\x7e]/g, '?');

/** What is logged of a decision other than `allowed`. */
const logOf = ({ expected }: Entry, header: string): readonly unknown[] => {
  if (expected === 'undecided') {
    return [
      ['error', { event: 'key-set-unavailable', cause: 'Error' }],
      ['error', { event: 'undecided', cause: 'JwksUnavailable', gatewayRequestId }],
    ];
  }
  // The authorizer denies a request without an identity, even if a gateway invokes it.
  const reason = expected === 'no-identity' ? 'not-a-bearer-token' : expected;
  const isAboutKey = reason === 'unknown-key' || reason === 'unusable-key';
  return [
    ['info', { event: 'denied', reason, kid: isAboutKey ? loggedKid(header) : undefined, gatewayRequestId }],
  ];
};

/** Expects the entry's decision and its log entries, which have at most the key id of the token. */
const expectDecision = async (entry: Entry, stage: Issuer, environment: Environment): Promise<void> => {
  const values = entry.authorization(stage);
  // The gateway joins repeated headers with commas.
  const header = Array.isArray(values) ? values.join(',') : (values ?? '');
  const { decide, log, publish } = startAuthorizer(stage, environment);
  if (entry.jwks === 'unreachable') publish(undefined);
  if (entry.expected === 'allowed') {
    const context = contextIn(header, environment['GROUPS_CLAIM']);
    expect(await decide(header)).toEqual({ isAuthorized: true, context });
    expect(log.entries).toEqual([]);
  } else {
    if (entry.expected === 'undecided') await expect(decide(header)).rejects.toThrow(JwksUnavailable);
    else expect(await decide(header)).toEqual({ isAuthorized: false });
    expect(log.entries).toEqual(logOf(entry, header));
  }
  const written = JSON.stringify(log.entries);
  const secrets = header.split(/[ .,=]+/).filter((part) => part.length > 7);
  for (const text of [...secrets, issuer.name, issuer.audience, 'somebody']) {
    expect(written).not.toContain(text);
  }
};

describe.each(stages)('the authorizer of a stage $stage', ({ entries, valid, environment }) => {
  it.each(entries)('decides on $name: $expected', async (entry) => {
    await expectDecision(entry, issuerWith(valid), environment);
  });
});
