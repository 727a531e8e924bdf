import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BuildContext, type BuildOptions, type BuildResult, context } from 'esbuild';
import { z } from 'zod';
import { bundleOptions } from '../../infra/bundle.ts';
import { UserError } from '../../terminal/user-error.ts';
import type { FunctionDefinition, Stack } from './stack.ts';
import { assembly } from './synthesize.ts';

/** Bundles the functions of a stack again. It keeps what it has read, so that a small change takes a moment. */
export interface Rebuilder {
  /**
   * @returns the stack with the new bundles
   * @throws {UserError} when the source does not compile
   */
  readonly rebuild: () => Promise<Stack>;
  readonly end: () => Promise<void>;
}

/** Not the folders of the synthesis, which it takes for what their names, hashes, say. */
const folderOf = ({ id }: FunctionDefinition): string => join(assembly, 'rebuilt', id);

/** The previous version reads its folder whenever an environment starts, so nothing is written unless everything compiles. */
interface InMemory extends BuildOptions {
  readonly write: false;
}

export const rebuilder = (stack: Stack): Rebuilder => {
  const builds: Promise<readonly BuildContext<InMemory>[]> = Promise.all(
    stack.functions.map((each) =>
      context({ ...bundleOptions(each.source, folderOf(each)), logLevel: 'silent', write: false }),
    ),
  );
  return {
    rebuild: async () => {
      try {
        const built: BuildResult<InMemory>[] = [];
        for (const build of await builds) built.push(await build.rebuild());
        for (const { path, contents } of built.flatMap(({ outputFiles }) => outputFiles)) {
          mkdirSync(dirname(path), { recursive: true });
          // A rename, so that an environment that starts now reads a complete file.
          writeFileSync(`${path}.new`, contents);
          renameSync(`${path}.new`, path);
        }
      } catch (error) {
        throw new UserError(`The functions could not be bundled: ${firstProblem(error)}.`, { cause: error });
      }
      return {
        ...stack,
        functions: stack.functions.map((each) => ({ ...each, codeFolder: folderOf(each) })),
      };
    },
    end: async () => {
      for (const build of await builds) await build.dispose();
    },
  };
};

const buildFailure = z.object({
  errors: z.array(
    z.object({
      text: z.string(),
      location: z.object({ file: z.string(), line: z.number(), column: z.number() }).nullable(),
    }),
  ),
});

const firstProblem = (error: unknown): string => {
  const [first] = buildFailure.safeParse(error).data?.errors ?? [];
  if (first === undefined) return String(error);
  const { location, text } = first;
  return location === null
    ? text
    : `${location.file}:${String(location.line)}:${String(location.column)}: ${text}`;
};
