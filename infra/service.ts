import type { ServiceApi } from './http-api.ts';
import type { OperationFunction } from './operation-function.ts';
import type { ServiceFunction } from './service-function.ts';

/** The parts of a stack that serve requests. Releases and alarms watch them. */
export interface Service {
  readonly authorizer: ServiceFunction;
  readonly api: ServiceApi;
  readonly operations: readonly OperationFunction[];
}
