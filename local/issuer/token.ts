import { parseArgs } from 'node:util';

import { codeOf, endWith, UserError } from '../../terminal/user-error.ts';
import { runningService } from '../service-file.ts';
import { readKey, signToken } from './issuer.ts';

const usage = 'Usage: npm run -s token -- USER [--group GROUP]... [--expires-in SECONDS]';

try {
  const { subject, groups, lifetimeSeconds } = parseArguments();
  const { issuer, audience, keyFile } = runningService();
  process.stdout.write(
    `${await signToken(readKey(keyFile), { issuer, audience, subject, groups, lifetimeSeconds })}\n`,
  );
} catch (error) {
  endWith(error);
}

function parseArguments(): { subject: string; groups: readonly string[]; lifetimeSeconds: number } {
  const { values, positionals } = parse();
  const [subject, ...others] = positionals;
  if (subject === undefined || subject === '' || others.length > 0) throw new UserError(usage);
  const lifetime = values['expires-in'];
  if (!/^[1-9]\d{0,8}$/.test(lifetime)) {
    throw new UserError(`--expires-in must be a whole number of seconds from 1; it is "${lifetime}".`);
  }
  return { subject, groups: values.group, lifetimeSeconds: Number(lifetime) };
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        group: { type: 'string', multiple: true, default: [] },
        'expires-in': { type: 'string', default: '3600' },
      },
    });
  } catch (error) {
    if (codeOf(error)?.startsWith('ERR_PARSE_ARGS') === true) throw new UserError(usage);
    throw error;
  }
}
