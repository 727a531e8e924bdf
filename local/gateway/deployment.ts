import type { Invoke } from '../lambda/invocation.ts';
import type { HttpApi } from '../stack/stack.ts';

/** An API with the functions behind it. */
export interface Deployment {
  readonly api: HttpApi;
  readonly invoke: Invoke;
}
