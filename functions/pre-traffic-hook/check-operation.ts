import { randomUUID } from 'node:crypto';
import { FailedCheck, type InvokeVersion, objectIn } from './invoke-version.ts';

/**
 * Checks that an operation reads the table for a caller without plants, and requires a caller.
 * @param route such as `GET /plants/{id}`: each path parameter gets a random value that no plant has
 * @param withoutPlants the status and the body, or its error value, for a caller without plants: `200 []`
 * @throws {FailedCheck} when it does not
 */
export const checkOperation = async (
  route: string,
  withoutPlants: string,
  invoke: InvokeVersion,
): Promise<void> => {
  const unknown = `pre-traffic-${randomUUID()}`;
  const event = {
    version: '2.0',
    routeKey: route,
    rawQueryString: '',
    headers: {},
    pathParameters: Object.fromEntries(
      [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, unknown]),
    ),
  };
  const respondTo = async (requestContext: object): Promise<string> => {
    const { statusCode, body } = (await invoke({ ...event, requestContext })).result;
    const { error = body } = objectIn(String(body));
    const response = `${String(statusCode)} ${String(error)}`;
    // A body can hold plants, so it is not logged.
    return error === body && response !== withoutPlants
      ? `${String(statusCode)} with another body`
      : response;
  };
  const caller = { subject: unknown, groups: [], expiresAt: Date.now() / 1000 + 300 };
  const allowed = await respondTo({ authorizer: { lambda: caller } });
  if (allowed !== withoutPlants) throw new FailedCheck('wrong-response', allowed);
  const rejected = await respondTo({});
  if (rejected !== '401 1004') throw new FailedCheck('not-rejected', rejected);
};
