import { crc32 } from 'node:zlib';
import { catalogue, ServiceError } from '../errors.ts';
import { isSortKey, type SortKey } from '../../../table/sort-key.ts';

const checksumBytes = 4;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Makes the opaque text that stands for a place in the order: base64url of a checksum and the sort key. */
export const encodeCursor = (position: SortKey): string => {
  const key = Buffer.from(position);
  return Buffer.concat([checksum(key), key]).toString('base64url');
};

/**
 * Reads the `cursor` parameter from all its occurrences.
 * The checksum catches damage, not malice: a cursor grants nothing, it only says where to go on.
 * @returns undefined when it was not given
 * @throws {ServiceError} 1002 unless it was given once, exactly as `encodeCursor` made it
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
  // Decoding skips what is not base64url; only an unaltered text survives the way back.
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
