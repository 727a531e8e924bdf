import middy, { type MiddyfiedHandler } from '@middy/core';
import type { APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda';
import { authorize, type Decision, type Dependencies } from './authorize.ts';

/** Binds the decision to the gateway (payload format 2.0). It has no error handler, so that a failure reaches the gateway. */
export const buildHandler = (
  dependencies: Dependencies,
): MiddyfiedHandler<Partial<APIGatewayRequestAuthorizerEventV2>, Decision> =>
  middy<Partial<APIGatewayRequestAuthorizerEventV2>, Decision>(
    (event: Partial<APIGatewayRequestAuthorizerEventV2>) =>
      authorize(dependencies, event.identitySource?.[0] ?? '', event.requestContext?.requestId),
  );
