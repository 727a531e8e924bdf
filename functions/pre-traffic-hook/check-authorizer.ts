import { randomUUID } from 'node:crypto';
import { FailedCheck, type InvokeVersion } from './invoke-version.ts';

/**
 * Checks that the authorizer denies a token with an unknown key id. To do so, it must fetch the key set.
 * @param algorithms those that the stage accepts
 * @throws {FailedCheck} when it does not
 */
export const checkAuthorizer = async ([alg]: readonly string[], invoke: InvokeVersion): Promise<void> => {
  const kid = `pre-traffic-${randomUUID()}`;
  const token = [JSON.stringify({ alg, kid, typ: 'at+jwt' }), '{}', Buffer.alloc(64)]
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
  const event = { version: '2.0', type: 'REQUEST', identitySource: [`Bearer ${token}`] };
  const { result, entries } = await invoke(event);
  if (result['isAuthorized'] !== false) throw new FailedCheck('not-denied', String(result['isAuthorized']));
  const denials = entries.filter((entry) => entry['event'] === 'denied');
  if (!denials.some((entry) => entry['reason'] === 'unknown-key' && entry['kid'] === kid)) {
    throw new FailedCheck('denied-for-another-reason', denials.map(({ reason }) => String(reason)).join());
  }
};
