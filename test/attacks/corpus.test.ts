// The corpus tests how the authorizer uses jose, not jose or the algorithms themselves.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { callerIdOf } from '../../functions/http/caller-context.ts';
import { JwksUnavailable } from '../../functions/authorizer/jwks-cache.ts';
import { type Issuer, issuerOf } from '../support/issuer.ts';
import { rsaKey } from '../support/signing-keys.ts';
import { partsOf, textOf } from '../support/tokens.ts';
import { callerIdSalt, gatewayRequestId, startAuthorizer } from './authorizer.ts';
import { authorizationOf, type StageCases } from './authorization-case.ts';
import { stages } from './corpus.ts';

const { token: sign, ...issuer } = issuerOf(rsaKey('rsa-1'), 'https://login.example.com', 'plant-store');

/** The issuer of a stage whose valid tokens have these differences. */
const issuerWith = ({ header, claims }: NonNullable<StageCases['valid']>): Issuer => ({
  ...issuer,
  token: (changes = {}) =>
    sign({
      ...changes,
      header: { ...header, ...changes.header },
      claims: { ...claims, ...changes.claims },
    }),
});

/** The context for the claims of the valid token in an Authorization header. */
const contextIn = (header: string, groupsClaim = 'groups'): unknown => {
  const payload: unknown = JSON.parse(textOf(partsOf(header.replace(/^.* /, ''))[1]));
  const claims = z.looseObject({ sub: z.string(), exp: z.number() }).parse(payload);
  const callerId = callerIdOf(callerIdSalt, issuer.name, claims.sub);
  return { subject: claims.sub, groups: claims[groupsClaim] ?? [], expiresAt: claims.exp, callerId };
};

describe.each<StageCases>(stages)('the authorizer of a stage $stage', ({ cases, ...stage }) => {
  const { environment = {}, valid = {}, isIssuerDown = false } = stage;
  const stageIssuer = issuerWith(valid);

  it.each(cases)('$title', async (request) => {
    const authorization = authorizationOf(request, stageIssuer) ?? '';
    // The gateway joins repeated headers with commas.
    const header = Array.isArray(authorization) ? authorization.join(',') : authorization;
    const { decide, log, publish } = startAuthorizer(stageIssuer, environment);
    if (isIssuerDown) publish(undefined);
    if (request.decision === 'allowed') {
      const context = contextIn(header, environment['GROUPS_CLAIM']);
      expect(await decide(header)).toEqual({ isAuthorized: true, context });
      expect(log.entries).toEqual([]);
    } else if (request.decision === 'undecided') {
      await expect(decide(header)).rejects.toThrow(JwksUnavailable);
    } else {
      expect(await decide(header)).toEqual({ isAuthorized: false });
      // The authorizer denies a request without an identity, even if a gateway invokes it.
      const reason = request.decision === 'no-identity' ? 'not-a-bearer-token' : request.decision;
      expect(log.entries).toMatchObject([['info', { event: 'denied', reason, gatewayRequestId }]]);
    }
    const written = JSON.stringify(log.entries);
    const secrets = header.split(/[ .,=]+/).filter((part) => part.length > 7);
    for (const text of [...secrets, issuer.name, issuer.audience, 'somebody']) {
      expect(written).not.toContain(text);
    }
  });
});
