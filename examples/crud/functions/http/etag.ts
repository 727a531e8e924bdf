import { resourceErrors } from './resource-errors.ts';
import type { HttpEvent } from './payload-format.ts';
import { ServiceError } from './service-error.ts';

/** The ETag of a version (RFC 9110 section 8.8.3). */
export const etagOf = (version: string): string => `"${version}"`;

/** A list of ETags, as the gateway joins several headers (RFC 9110 section 13.1.1). */
const tagList = /^\s*(?:W\/)?"[!#-~]*"\s*(?:,\s*(?:W\/)?"[!#-~]*"\s*)*$/;
const strongTag = /(?<!W\/)"([!#-~]*)"/g;

/**
 * Reads the versions that the `If-Match` header of an event accepts. A weak tag accepts none, because the
 * header compares strongly.
 * @returns undefined without the header
 * @throws {ServiceError} 1010 unless it is a list of ETags. `*` is refused, because it would
 * overwrite changes that the caller has not seen.
 */
export const acceptedVersions = ({ headers }: HttpEvent): readonly string[] | undefined => {
  const header = headers?.['if-match'];
  if (header === undefined) return undefined;
  if (!tagList.test(header)) throw new ServiceError(resourceErrors.invalidCondition);
  return [...header.matchAll(strongTag)].map(([, version = '']) => version);
};
