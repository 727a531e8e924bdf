import type { OperationDefinition } from '../../infra/operation-definition.ts';
import type { Headers } from '../../smoke/client.ts';

interface OperationRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Headers;
  readonly content: string | undefined;
}

/** The request that the pre-traffic hook sends to an operation, without a token. */
export const requestOf = ({ route, request }: OperationDefinition): OperationRequest => {
  const [method = '', target = ''] = route.replaceAll(/\{\w+\}/g, 'pre-traffic-hook').split(' ');
  return { method, target, headers: request?.headers ?? {}, content: request?.body };
};

/** What the response to a caller without plants matches. */
export const responseOf = ({ withoutPlants }: OperationDefinition): object => {
  const status = { status: withoutPlants.statusCode };
  if ('error' in withoutPlants) return { ...status, body: { error: withoutPlants.error } };
  const { body } = withoutPlants;
  if (body === undefined) return status;
  const parsed: unknown = body === '' ? undefined : JSON.parse(body);
  return { ...status, body: parsed };
};
