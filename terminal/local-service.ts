import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { UserError } from './user-error.ts';

export const projectFolder = fileURLToPath(new URL('..', import.meta.url));
/** The folder of the local service's files; git ignores it. */
export const stateFolder = join(projectFolder, '.local');
/** Holds a `Service` while the local service runs. */
export const serviceFile = join(stateFolder, 'service.json');

const fields = ['baseUrl', 'storeEndpoint', 'tableName', 'issuer', 'audience', 'keyFile'] as const;
const serviceSchema = v.object(v.entriesFromList(fields, v.string()));

/** How to reach the running local service. */
export type Service = Readonly<v.InferOutput<typeof serviceSchema>>;

/** Reads the service file; undefined if it is missing or damaged. */
export const readService = (file = serviceFile): Service | undefined => {
  try {
    return v.parse(serviceSchema, JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
};

/** @throws {UserError} when the local service is not running */
export const runningService = (): Service => {
  const service = readService();
  if (service !== undefined) return service;
  throw new UserError('The local service is not running. Start it with npm start.');
};

/** Region and keys of every client of the local store: placeholders, which a local store accepts. */
export const storeLogin = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
};
