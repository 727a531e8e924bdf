import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { stateFolder } from '../../terminal/local-service.ts';
import { codeOf, UserError } from '../../terminal/user-error.ts';

/** The file of the issuer's private key, a JWK. */
export const keyFile = join(stateFolder, 'issuer-key.json');

/** EdDSA tokens are a third shorter than RSA tokens. */
export const algorithm = 'EdDSA';

const parameter = v.pipe(v.string(), v.nonEmpty());
const keySchema = v.object(v.entriesFromList(['kty', 'crv', 'x', 'd', 'kid', 'alg'], parameter));

/** A private signing key as a JWK, with its `kid` and `alg`. */
export type SigningKey = Readonly<v.InferOutput<typeof keySchema>>;

/**
 * Reads the issuer's private key. If the file is missing, creates a key that only its owner can read.
 * @throws {UserError} when the file does not hold an Ed25519 private key
 */
export const readKey = (file: string): SigningKey => {
  if (!existsSync(file)) createKey(file);
  try {
    const key = v.parse(keySchema, JSON.parse(readFileSync(file, 'utf8')));
    const publicKey = createPublicKey(createPrivateKey({ key, format: 'jwk' }));
    const isEd25519 = publicKey.asymmetricKeyType === 'ed25519' && key.alg === algorithm;
    if (isEd25519 && publicKey.export({ format: 'jwk' }).x === key.x) return key;
  } catch {
    // The error below says what the file must hold, whatever is wrong with it.
  }
  throw new UserError(
    `${file} does not hold an Ed25519 private key. Delete it; the next npm start creates a new one.`,
  );
};

const createKey = (file: string): void => {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const key = JSON.stringify({ ...jwk, kid: crypto.randomUUID(), alg: algorithm });
  try {
    writeFileSync(file, key, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    // Another start created the file meanwhile, or the file is a dangling symbolic link. `readKey` then reads
    // the file, which fails for a dangling link.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
};
