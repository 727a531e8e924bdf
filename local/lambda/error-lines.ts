import { inspect } from 'node:util';
import { pathToFileURL } from 'node:url';
import { escapedLines } from '../../terminal/escaped.ts';
import { codeOf } from '../../terminal/user-error.ts';
import { projectFolder } from '../../terminal/local-service.ts';

/** Enough to find the line at fault and its callers. */
const maxFrames = 5;
/** Also ends a chain of causes that is a circle. */
const maxCauses = 5;

/** Makes paths in this project relative to its folder, as editors open them from a terminal. */
export const withoutProjectFolder = (text: string): string =>
  text.replaceAll(pathToFileURL(projectFolder).href, '').replaceAll(projectFolder, '');

/** An error for a person: name and message, the first frames in this project, and the same of its causes. */
export const errorLines = (error: unknown): string => escapedLines(linesOf(error, maxCauses).join('\n'));

const linesOf = (error: unknown, causes: number): readonly string[] => {
  if (!(error instanceof Error)) return [`${inspect(error)} was thrown, which is not an Error.`];
  const code = codeOf(error);
  const name = code === undefined || code === error.name ? error.name : `${error.name} [${code}]`;
  const several: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  const inner = error.cause === undefined ? several : [error.cause, ...several];
  return [
    `${name}: ${error.message}`,
    ...framesOf(error.stack ?? ''),
    ...inner.slice(0, causes).flatMap((cause) => {
      const [first = '', ...others] = linesOf(cause, causes - 1);
      return [`Caused by ${first}`, ...others];
    }),
  ];
};

/** The frames in this project, without its packages; if there are none, all. */
const framesOf = (stack: string): readonly string[] => {
  const frames = stack.match(/^ +at .*$/gm) ?? [];
  const own = frames.filter((frame) => frame.includes(projectFolder) && !frame.includes('node_modules'));
  return (own.length > 0 ? own : frames).slice(0, maxFrames).map(withoutProjectFolder);
};
