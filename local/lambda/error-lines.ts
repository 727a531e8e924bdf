import { inspect } from 'node:util';
import { pathToFileURL } from 'node:url';
import { escapedLines } from '../../terminal/escaped.ts';
import { codeOf } from '../../terminal/user-error.ts';
import { projectFolder } from '../../terminal/local-service.ts';

/** Five frames show the line at fault and its callers. */
const maxFrames = 5;
/** How many levels of causes are printed. The limit ends the printing of an error that causes itself. */
const maxLevels = 5;
/** How many causes of one error are printed. An AggregateError can have any number of errors. */
const maxCauses = 5;

/** Makes paths of this project relative to its folder, because editors open such paths from a terminal. */
export const withoutProjectFolder = (text: string): string =>
  text.replaceAll(pathToFileURL(projectFolder).href, '').replaceAll(projectFolder, '');

/** An error as text: name, message and first frames in this project, then the same for each of its causes. */
export const errorLines = (error: unknown): string => escapedLines(linesOf(error, maxLevels).join('\n'));

/** @param levelsLeft how many levels of causes are printed below this error */
const linesOf = (error: unknown, levelsLeft: number): readonly string[] => {
  if (!(error instanceof Error)) return [`${inspect(error)} was thrown, which is not an Error.`];
  const code = codeOf(error);
  const name = code === undefined || code === error.name ? error.name : `${error.name} [${code}]`;
  const combined: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  const allCauses = error.cause === undefined ? combined : [error.cause, ...combined];
  const causes = levelsLeft === 0 ? [] : allCauses.slice(0, maxCauses);
  return [
    `${name}: ${error.message}`,
    ...framesOf(error.stack ?? ''),
    ...causes.flatMap((cause) => {
      const [message = '', ...frames] = linesOf(cause, levelsLeft - 1);
      return [`Caused by ${message}`, ...frames];
    }),
  ];
};

/** The frames in this project, without its packages; all frames if none is in this project. */
const framesOf = (stack: string): readonly string[] => {
  const frames = stack.match(/^ +at .*$/gm) ?? [];
  const inProject = frames.filter(
    (frame) => frame.includes(projectFolder) && !frame.includes('node_modules'),
  );
  return (inProject.length > 0 ? inProject : frames).slice(0, maxFrames).map(withoutProjectFolder);
};
