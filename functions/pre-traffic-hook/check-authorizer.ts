import { randomUUID } from 'node:crypto';
import { fieldsOf, type Invoke } from './invocation.ts';
import type { Problem } from './log.ts';

/**
 * Checks that the authorizer denies a token of an unknown key because the key is unknown. Only the issuer's key set can
 * tell it so.
 * @param algorithm one that the stage accepts
 */
export const checkAuthorizer = async (invoke: Invoke, algorithm: string): Promise<Problem | undefined> => {
  const kid = `pre-traffic-${randomUUID()}`;
  const identitySource = [`Bearer ${unsignedToken(algorithm, kid)}`];
  const { error, result, entries } = await invoke({ version: '2.0', type: 'REQUEST', identitySource });
  if (error !== undefined) return { problem: 'function-error', cause: error };
  if (fieldsOf(result)['isAuthorized'] !== false) return { problem: 'not-denied' };
  const denials = entries.map(fieldsOf).filter(({ event }) => event === 'denied');
  return denials.some((entry) => entry['reason'] === 'unknown-key' && entry['kid'] === kid)
    ? undefined
    : { problem: 'denied-for-another-reason', cause: denials.map(({ reason }) => String(reason)).join() };
};

const unsignedToken = (alg: string, kid: string): string =>
  [JSON.stringify({ alg, kid, typ: 'at+jwt' }), '{}', Buffer.alloc(64)]
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
