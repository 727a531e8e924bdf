import type {
  APIGatewayProxyEventV2WithLambdaAuthorizer,
  APIGatewayProxyStructuredResultV2,
} from 'aws-lambda';

type GatewayEvent = APIGatewayProxyEventV2WithLambdaAuthorizer<unknown>;

/**
 * The gateway's event (payload format 2.0). Every field is optional, because `sam local` and emulators leave
 * some out.
 */
export interface HttpEvent extends Partial<
  Pick<GatewayEvent, 'rawPath' | 'rawQueryString' | 'pathParameters' | 'headers' | 'body' | 'isBase64Encoded'>
> {
  readonly requestContext?: Partial<Pick<GatewayEvent['requestContext'], 'authorizer'>>;
}

/** The function's result (payload format 2.0). */
export type HttpResult = APIGatewayProxyStructuredResultV2;
