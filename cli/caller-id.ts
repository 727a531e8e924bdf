import { Readable } from 'node:stream';
import { localStackId, runningService } from '../local/service-file.ts';
import { hash } from 'node:crypto';
import { isPrincipalName, maxPrincipalNameBytes } from '../table/principal.ts';
import { UserError } from '../terminal/user-error.ts';
import { deployedStack } from './deployed-stack.ts';
import type { TableOptions } from './table/find-table.ts';
import { writeOutput } from './write-output.ts';

/**
 * Prints the id that stands for a user in logs.
 * @throws {UserError} when the name cannot be a user's, or the options do not say whose issuer is meant
 */
export const printCallerId = async (name: string, options: TableOptions): Promise<void> => {
  if (!isPrincipalName(name))
    throw new UserError(`Write a user’s name, of 1 to ${String(maxPrincipalNameBytes)} bytes.`);
  const { salt, issuer } = await saltAndIssuer(options);
  await writeOutput(Readable.from([`${callerIdOf(salt, issuer, name)}\n`]));
};

/** As the authorizer of the stage has them in its environment. */
const saltAndIssuer = async ({
  stage,
  table,
  endpoint,
}: TableOptions): Promise<Readonly<Record<'salt' | 'issuer', string>>> => {
  if (table !== undefined || endpoint !== undefined)
    throw new UserError('A table does not name the issuer of its users: pass --stage instead.');
  if (stage === undefined) return { salt: localStackId, issuer: runningService().issuer };
  const { id, output } = await deployedStack(stage);
  return { salt: id, issuer: output('Issuer') };
};

const callerIdOf = (salt: string, issuer: string, subject: string): string =>
  hash('sha256', [salt, issuer, subject].join('\u0000')).slice(0, 16);
