import type { ServiceApi } from './http-api.ts';
import type { OperationFunction } from './operation-function.ts';
import type { ServiceFunction } from './service-function.ts';

/** What callers use of a stack, complete: its releases and alarms watch these parts. */
export interface Service {
  readonly authorizer: ServiceFunction;
  readonly api: ServiceApi;
  readonly operations: readonly OperationFunction[];
}
