import { randomUUID } from 'node:crypto';
import { fieldsOf, type Invoke } from './invocation.ts';
import type { Problem } from './log.ts';

/**
 * Checks that the list function responds `200 []` to a caller who has nothing, which it learns from the table, and refuses
 * a request without a caller.
 * @param now milliseconds since 1970
 */
export const checkListPlants = async (invoke: Invoke, now: () => number): Promise<Problem | undefined> => {
  const lambda = { subject: `pre-traffic-${randomUUID()}`, groups: [], expiresAt: now() / 1000 + 300 };
  const list = await responseTo(invoke, { authorizer: { lambda } });
  if (list.error !== undefined) return { problem: 'function-error', cause: list.error };
  if (list.status !== 200 || list.body !== '[]') {
    return { problem: 'not-an-empty-list', cause: summary(list) };
  }
  const refusal = await responseTo(invoke, {});
  if (refusal.error !== undefined) return { problem: 'function-error', cause: refusal.error };
  return refusal.status === 401 && errorIn(refusal.body) === 1004
    ? undefined
    : { problem: 'not-refused', cause: summary(refusal) };
};

interface Response {
  /** The function failed and returned no response. */
  readonly error?: string | undefined;
  readonly status: unknown;
  readonly body: unknown;
}

const responseTo = async (invoke: Invoke, requestContext: object): Promise<Response> => {
  const { error, result } = await invoke({ version: '2.0', rawQueryString: '', headers: {}, requestContext });
  const { statusCode: status, body } = fieldsOf(result);
  return { error, status, body };
};

/** The error value in an Error body. */
const errorIn = (body: unknown): unknown => {
  try {
    return fieldsOf(JSON.parse(String(body)))['error'];
  } catch {
    return undefined;
  }
};

/** The status and error value, and nothing else of the body, which can hold plants. */
const summary = ({ status, body }: Response): string => {
  const error = errorIn(body);
  return `status ${String(status)}${typeof error === 'number' ? `, error ${String(error)}` : ''}`;
};
