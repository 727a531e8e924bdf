import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { codeOf, UserError } from '../terminal/user-error.ts';
import { projectFolder } from './project.ts';

/** Where the service keeps what outlives a start; git ignores it. */
export const stateFolder = join(projectFolder, '.local');

const serviceFile = join(stateFolder, 'service.json');

const serviceSchema = z.object({
  baseUrl: z.string(),
  storeEndpoint: z.string(),
  tableName: z.string(),
  issuer: z.string(),
  audience: z.string(),
  /** The issuer's private key, a JWK. */
  keyFile: z.string(),
});

/** How to reach the running service. */
export type Service = Readonly<z.infer<typeof serviceSchema>>;

export const makeStateFolder = (): void => {
  mkdirSync(stateFolder, { recursive: true });
};

/** Tells other programs where the service runs, for as long as it does. */
export const announce = (service: Service): void => {
  writeFileSync(serviceFile, `${JSON.stringify(service, null, 2)}\n`);
  process.once('exit', () => {
    rmSync(serviceFile, { force: true });
  });
};

/**
 * Finds the running service.
 * @throws {UserError} when none runs
 */
export const runningService = (): Service => {
  try {
    return serviceSchema.parse(JSON.parse(readFileSync(serviceFile, 'utf8')));
  } catch (error) {
    if (codeOf(error) === 'ENOENT')
      throw new UserError('The local service is not running. Start it with npm start.');
    throw new UserError(`${serviceFile} cannot be read. Stop the local service and start it again.`);
  }
};
