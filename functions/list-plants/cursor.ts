import { crc32 } from 'node:zlib';
import { isSortKey, type SortKey } from '../../table/sort-key.ts';
import { ServiceError } from '../shared/errors.ts';
import { catalogue } from './errors.ts';

const checksumBytes = 4;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Encodes a position in the order as opaque text: base64url of a checksum and the sort key. */
export const encodeCursor = (position: SortKey): string => {
  const key = Buffer.from(position);
  return Buffer.concat([checksum(key), key]).toString('base64url');
};

/**
 * Parses all occurrences of the `cursor` parameter.
 * The checksum detects mistakes, not attacks: a cursor grants no access, it is only a position.
 * @returns undefined when there is none
 * @throws {ServiceError} 1002 unless there is exactly one, unchanged from `encodeCursor`
 */
export const parseCursor = (occurrences: readonly string[]): SortKey | undefined => {
  const [text, ...repeated] = occurrences;
  if (text === undefined) return undefined;
  const position = repeated.length === 0 ? decodeCursor(text) : undefined;
  if (position === undefined) throw new ServiceError(catalogue.invalidCursor);
  return position;
};

const decodeCursor = (text: string): SortKey | undefined => {
  const bytes = Buffer.from(text, 'base64url');
  const key = bytes.subarray(checksumBytes);
  // Decoding skips characters outside base64url, so the text is compared with its own re-encoding.
  if (bytes.toString('base64url') !== text || !checksum(key).equals(bytes.subarray(0, checksumBytes))) {
    return undefined;
  }
  try {
    const position = utf8.decode(key);
    return isSortKey(position) ? position : undefined;
  } catch {
    return undefined;
  }
};

const checksum = (key: Buffer): Buffer => {
  const bytes = Buffer.alloc(checksumBytes);
  bytes.writeUInt32BE(crc32(key));
  return bytes;
};
