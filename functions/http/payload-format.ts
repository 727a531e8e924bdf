import type {
  APIGatewayProxyEventV2WithLambdaAuthorizer,
  APIGatewayProxyStructuredResultV2,
} from 'aws-lambda';
import type { PlantStore } from '../plant-store/plant-store.ts';
import type { Log, OperationLogEntry } from '../runtime/log-events.ts';

type GatewayEvent = APIGatewayProxyEventV2WithLambdaAuthorizer<unknown>;

/** The gateway's event (payload format 2.0). Every field is optional, because another gateway may omit it. */
export interface HttpEvent extends Partial<
  Pick<GatewayEvent, 'rawPath' | 'rawQueryString' | 'pathParameters' | 'headers' | 'body' | 'isBase64Encoded'>
> {
  readonly requestContext?: Partial<Pick<GatewayEvent['requestContext'], 'authorizer'>>;
}

/** The function's result (payload format 2.0). */
export type HttpResult = APIGatewayProxyStructuredResultV2;

export interface Dependencies {
  readonly store: PlantStore;
  readonly log: Log<OperationLogEntry>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * An operation of the API: responds to an event of the gateway.
 * @param signal aborts its reads
 * @throws {ServiceError} the error that the caller gets in place of the result
 */
export type Respond<Needed = Dependencies> = (
  dependencies: Needed,
  event: HttpEvent,
  signal: AbortSignal,
) => Promise<HttpResult>;
