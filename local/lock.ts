import { readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { codeOf, UserError } from '../terminal/user-error.ts';
import { serviceFile, stateFolder } from './service-file.ts';

/** A symbolic link, because one step creates it with its content: the holder as JSON. */
const lock = join(stateFolder, 'lock');

/** The service that holds the lock. */
const holderSchema = z.object({ baseUrl: z.string(), jwksUri: z.string() });

/**
 * Locks this checkout for one service, from before its synthesis until its process exits.
 * @param kid of this checkout's key: another service at the address of a killed one has another key
 * @throws {UserError} with the address of the service that holds the lock
 */
export const lockCheckout = async (holder: z.infer<typeof holderSchema>, kid: string): Promise<void> => {
  await refuseSecondStart(kid);
  // With the same ports, the text would be that of a service that was killed.
  const text = JSON.stringify({ ...holder, pid: process.pid });
  try {
    symlinkSync(text, lock);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return lockCheckout(holder, kid);
  }
  process.once('exit', () => {
    if (lockText() === text) for (const file of [serviceFile, lock]) rmSync(file, { force: true });
  });
  // Another start can remove this lock if it found that of a killed service a moment ago.
  await delay(recheckMs);
  if (lockText() !== text) return lockCheckout(holder, kid);
  // Of a service that was killed.
  rmSync(serviceFile, { force: true });
};

const recheckMs = 50;

/**
 * Removes the lock of a service that was killed.
 * @throws {UserError} with the address of the service that holds the lock
 */
export const refuseSecondStart = async (kid: string): Promise<void> => {
  const text = lockText();
  if (text === undefined) return;
  const { baseUrl, jwksUri } = holderSchema.parse(JSON.parse(text));
  // Also a busy service responds within three seconds.
  const keys = await fetch(jwksUri, { signal: AbortSignal.timeout(3000) })
    .then((response) => response.text())
    .catch(() => '');
  if (keys.includes(kid))
    throw new UserError(`The service of this checkout already runs at ${baseUrl}. Use it, or stop it first.`);
  // Unless another start did so, and holds the lock now.
  if (lockText() === text) rmSync(lock);
};

const lockText = (): string | undefined => {
  try {
    return readlinkSync(lock);
  } catch {
    return undefined;
  }
};
