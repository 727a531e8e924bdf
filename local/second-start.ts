import { rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { codeOf, UserError } from '../cli/terminal/user-error.ts';
import { jwksPath } from './issuer/issuer.ts';
import { readService, type Service, serviceFile } from './service-file.ts';

/**
 * Removes the service file that a killed service left.
 * @param kid the id of this checkout's key
 * @throws {UserError} when another service of this checkout is running, with its address
 */
export const refuseSecondStart = async (kid: string): Promise<void> => {
  const service = readService();
  if (service !== undefined && (await publishes(service.issuer, kid)))
    throw new UserError(
      `Another npm start of this checkout runs at ${service.baseUrl}. Use it, or stop it first.`,
    );
  rmSync(serviceFile, { force: true });
};

/** Writes the service file, which is removed when this process ends. */
export const writeService = (service: Service): void => {
  writeFileSync(serviceFile, JSON.stringify(service, undefined, 2), { flag: 'wx' });
  process.once('exit', () => {
    rmSync(serviceFile, { force: true });
  });
};

/** Whether an issuer publishes a key, or does not respond, because Ctrl-Z suspended it. */
const publishes = async (issuer: string, kid: string): Promise<boolean> => {
  try {
    // Not imported, as in listen.ts.
    const { get } = process.getBuiltinModule('node:http');
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { agent: false, signal: AbortSignal.timeout(1000) };
      get(`${issuer}${jwksPath}`, options, resolve).once('error', reject);
    });
    return (await text(response)).includes(kid);
  } catch (error) {
    return codeOf(error) === 'ABORT_ERR';
  }
};
