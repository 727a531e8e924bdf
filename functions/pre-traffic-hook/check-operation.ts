import { randomUUID } from 'node:crypto';
import { type InvokeVersion, objectIn } from './invoke-version.ts';
import { Refusal } from './refusal.ts';

export interface OperationCheck {
  /** Method, space, path: each parameter of the path gets a value that no plant has. */
  readonly route: string;
  /** The status and the body, or the value of its `error`, that a caller without plants gets, such as `200 []`. */
  readonly withoutPlants: string;
}

/**
 * An operation reads for a caller who has no plants, so it must reach the table, and rejects a request without a caller.
 * @throws {Refusal} when it does not
 */
export const checkOperation = async (
  { route, withoutPlants }: OperationCheck,
  invoke: InvokeVersion,
): Promise<void> => {
  const unknown = `pre-traffic-${randomUUID()}`;
  const pathParameters = Object.fromEntries(
    [...route.matchAll(/\{(\w+)\+?\}/g)].map(([, name = '']) => [name, unknown]),
  );
  /** Of the body, which can hold plants, the check names only the error value. */
  const respondTo = async (requestContext: object) => {
    const event = {
      version: '2.0',
      routeKey: route,
      rawPath: route.slice(route.indexOf('/')).replaceAll(/\{\w+\+?\}/g, unknown),
      rawQueryString: '',
      headers: {},
      ...(Object.keys(pathParameters).length > 0 && { pathParameters }),
      requestContext,
    };
    const { statusCode, body } = (await invoke(event)).result;
    const { error } = objectIn(String(body));
    const summary = `status ${String(statusCode)}, error ${String(error)}`;
    return { response: `${String(statusCode)} ${String(error ?? body)}`, summary };
  };
  const caller = { subject: unknown, groups: [], expiresAt: Date.now() / 1000 + 300 };
  const allowed = await respondTo({ authorizer: { lambda: caller } });
  if (allowed.response !== withoutPlants) throw new Refusal('wrong-response', allowed.summary);
  const rejected = await respondTo({});
  if (rejected.response !== '401 1004') throw new Refusal('not-refused', rejected.summary);
};
