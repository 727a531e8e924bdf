import { inspect } from 'node:util';
import { UserError } from '../../terminal/user-error.ts';
import { withoutProjectFolder } from '../lambda/error-lines.ts';

/** Why the functions do not load: the first place in this project, and the first line of the message. */
export const loadProblem = (error: unknown): string => {
  if (!(error instanceof Error)) return `The functions threw ${inspect(error)} while they were loaded.`;
  const [message = ''] = withoutProjectFolder(error.message).split('\n', 1);
  // A message of a UserError or of infra/ is a sentence that names the file already.
  if (error instanceof UserError || message.startsWith('infra/')) return message;
  const stack = withoutProjectFolder(error.stack ?? '');
  const [place = 'local/api.ts'] = /(?:functions|infra|local|table)\/[\w./-]+\.ts(?::\d+)?/.exec(stack) ?? [];
  return `${place}: ${(message || 'an error without a message').replace(/\.?$/, '.')}`;
};
