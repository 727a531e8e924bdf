// Only one `npm start` may run in a checkout. A second one would replace the service file, so npm run plants,
// npm run token and sam local would use the second service while the developer looks at the first.
import { rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import * as v from 'valibot';
import { readService, type Service, serviceFile } from '../terminal/local-service.ts';
import { UserError } from '../terminal/user-error.ts';
import { jwksPath } from './issuer/issuer-server.ts';

// A static import of node:http reads all its exports, which loads undici and delays the start.
const { get } = process.getBuiltinModule('node:http');

/**
 * Fails if a service of this checkout is running already. Otherwise removes the service file, which a killed
 * service may have left.
 * @param kid the id of this checkout's key
 * @throws {UserError} with the address of the running service
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
    // While this process was suspended (Ctrl-Z), another start may have replaced the file.
    if (readService()?.issuer === service.issuer) rmSync(serviceFile, { force: true });
  });
};

/** How many milliseconds a running service may take to respond: a generous margin, even on a busy machine. */
const responseTimeout = 2000;
/** A generous margin: the local issuer's key set has about 150 characters. */
const maxResponseLength = 10_000;
const jwksSchema = v.object({ keys: v.array(v.object({ kid: v.string() })) });

/**
 * Whether an issuer publishes a key. A response alone is not enough, because after a service was killed, any
 * program can listen on its issuer's port.
 */
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
