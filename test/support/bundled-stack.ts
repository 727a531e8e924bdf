import { join } from 'node:path';
import { type BundledFunction, bundleFunctions } from '../../local/stack/bundle.ts';
import type { Stack } from '../../local/stack/read-stack.ts';
import type { ProjectCopy } from './service/local-service.ts';
import { localStack } from './synthesized.ts';

/** The stack of the stage `local` with its functions' code. */
export interface BundledStack extends Stack {
  readonly functions: readonly BundledFunction[];
}

/** Bundles the functions beside those of a running service, whose end removes them. */
export const bundledStack = async ({ folder }: ProjectCopy): Promise<BundledStack> => {
  const stack = localStack();
  return { ...stack, functions: await bundleFunctions(stack.functions, join(folder, '.local/bundles/test')) };
};
