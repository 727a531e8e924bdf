// One `npm start` runs in a checkout, because two would write the same service file, and npm run plants, npm
// run token and sam local would use the last one while the developer looks at the first.
import { rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import * as v from 'valibot';
import { readService, type Service, serviceFile } from '../terminal/local-service.ts';
import { UserError } from '../terminal/user-error.ts';
import { jwksPath } from './issuer/issuer-server.ts';

// A static import reads every export of the module, which loads undici and delays the start.
const { get } = process.getBuiltinModule('node:http');

/**
 * Removes the service file that a killed service left.
 * @param kid the id of this checkout's key
 * @throws {UserError} when another service of this checkout is running, with its address
 */
export const refuseSecondStart = async (kid: string): Promise<void> => {
  const service = readService();
  if (service !== undefined && (await publishesKey(service.issuer, kid)))
    throw new UserError(
      `Another npm start of this checkout runs at ${service.baseUrl}. Use it, or stop it first.`,
    );
  rmSync(serviceFile, { force: true });
};

/** Writes the service file, which is removed when this process ends. */
export const writeService = (service: Service): void => {
  writeFileSync(serviceFile, JSON.stringify(service, undefined, 2), { flag: 'wx' });
  process.once('exit', () => {
    // A start while this process was suspended (Ctrl-Z) has replaced the file.
    if (readService()?.issuer === service.issuer) rmSync(serviceFile, { force: true });
  });
};

/** Milliseconds for a running service to respond, also on a busy machine. */
const responseTimeout = 2000;
/** A generous margin: the local issuer's key set has about 150 characters. */
const maxResponseLength = 10_000;
const jwksSchema = v.object({ keys: v.array(v.object({ kid: v.string() })) });

/** Whether an issuer publishes a key. After a service was killed, any program can have its issuer's port. */
const publishesKey = async (issuer: string, kid: string): Promise<boolean> => {
  try {
    const signal = AbortSignal.timeout(responseTimeout);
    const request = get(`${issuer}${jwksPath}`, { agent: false, signal });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.on('response', resolve).on('error', reject);
    });
    let body = '';
    for await (const part of response) {
      body += String(part);
      if (body.length > maxResponseLength) return false;
    }
    return v.parse(jwksSchema, JSON.parse(body)).keys.some((key) => key.kid === kid);
  } catch {
    return false;
  }
};
