import type { HttpApi } from '../stack/stack.ts';

/** An API with the functions behind it. */
export interface Deployment {
  readonly api: HttpApi;
  /**
   * Invokes a function by its logical id.
   * @throws {InvocationError} when the function returned no result
   */
  readonly invoke: (functionId: string, event: unknown) => Promise<unknown>;
}
