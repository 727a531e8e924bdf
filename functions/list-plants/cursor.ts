import { isSortKey, type SortKey } from '../../table/sort-key.ts';
import { ServiceError } from '../http/service-error.ts';
import { catalogue } from './errors.ts';

const checksumBytes = 4;

/** Encodes a position in the order as opaque text: base64url of a checksum and the sort key. */
export const encodeCursor = (position: SortKey): string => {
  const key = Buffer.from(position);
  const checksum = Buffer.alloc(checksumBytes);
  // Not imported, because an import would load the module in each cold start.
  checksum.writeUInt32BE(process.getBuiltinModule('node:zlib').crc32(key));
  return Buffer.concat([checksum, key]).toString('base64url');
};

/**
 * Parses all occurrences of the `cursor` parameter. The checksum detects mistakes, not attacks, because a
 * cursor grants no access.
 * @returns undefined without a `cursor` parameter
 * @throws {ServiceError} 1002 unless there is exactly one, unchanged from `encodeCursor`
 */
export const parseCursor = (occurrences: readonly string[]): SortKey | undefined => {
  const [text, ...repeated] = occurrences;
  if (text === undefined) return undefined;
  const position = Buffer.from(text, 'base64url').toString('utf8', checksumBytes);
  // Decoding skips or replaces invalid characters, so the position is encoded again and compared.
  if (repeated.length > 0 || !isSortKey(position) || encodeCursor(position) !== text) {
    throw new ServiceError(catalogue.invalidCursor);
  }
  return position;
};
