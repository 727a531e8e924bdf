import type { JsonObject } from '../../functions/runtime/json-object.ts';
import type { SigningKey } from './signing-keys.ts';

/** Encodes a header or claims as a part of a token. */
export const encodePart = (value: unknown): string => encodeText(JSON.stringify(value));

/** Signs a header and claims. A member that is `undefined` is left out. */
export const signToken = (key: SigningKey, header: JsonObject, claims: unknown): string =>
  signParts(key, encodePart({ alg: key.alg, kid: key.kid, ...header }), encodePart(claims));

/** Signs the encoded header and payload of a token. */
export const signParts = (key: SigningKey, header: string, payload: string): string => {
  const input = `${header}.${payload}`;
  return `${input}.${key.sign(Buffer.from(input)).toString('base64url')}`;
};

/** The parts of a token. */
export const partsOf = (token: string): readonly [header: string, payload: string, signature: string] => {
  const [header = '', payload = '', signature = ''] = token.split('.');
  return [header, payload, signature];
};

/** Decodes a part of a token to its JSON text. */
export const textOf = (part: string): string => Buffer.from(part, 'base64url').toString();

/** Encodes text or bytes as a part of a token. */
export const encodeText = (text: string | Buffer): string => Buffer.from(text).toString('base64url');
