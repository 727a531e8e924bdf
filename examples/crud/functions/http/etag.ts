import { resourceErrors } from './resource-errors.ts';
import type { HttpEvent } from './payload-format.ts';
import { ServiceError } from './service-error.ts';

/** The ETag of a version (RFC 9110 section 8.8.3). */
export const etagOf = (version: string): string => `"${version}"`;

/** An element of a list of ETags, which may be empty, up to the next comma (RFC 9110 section 5.6.1). */
const element = /[\t ]*(?:(?<weak>W\/)?"(?<version>[!#-~]*)"[\t ]*)?(?:,|$)/gy;

/**
 * Reads the versions that the `If-Match` header of an event accepts. A weak ETag accepts no version, because
 * `If-Match` uses the strong comparison (RFC 9110 section 13.1.1).
 * @returns undefined without the header
 * @throws {ServiceError} 1010 unless the header is a list of ETags. `*` is refused, because it would
 * overwrite changes that the caller has not seen.
 */
export const acceptedVersions = ({ headers }: HttpEvent): readonly string[] | undefined => {
  const header = headers?.['if-match'];
  if (header === undefined) return undefined;
  const etags = etagsIn(header);
  if (etags.length === 0) throw new ServiceError(resourceErrors.invalidCondition);
  return etags.filter(({ isWeak }) => !isWeak).map(({ version }) => version);
};

/**
 * Whether the `If-None-Match` header of an event has a version, so that the caller need not get it again. The
 * header uses the weak comparison, and a malformed header has no version (RFC 9110 section 13.1.2).
 */
export const isKnownVersion = ({ headers }: HttpEvent, version: string): boolean => {
  const header = headers?.['if-none-match'] ?? '';
  return header === '*' || etagsIn(header).some((etag) => etag.version === version);
};

/** The ETags of a list, which the gateway joins from several headers; none if the list is malformed. */
const etagsIn = (header: string): readonly { readonly version: string; readonly isWeak: boolean }[] => {
  const elements = [...header.matchAll(element)];
  const length = elements.reduce((sum, [text]) => sum + text.length, 0);
  if (length !== header.length) return [];
  return elements.flatMap(({ groups: { weak, version } = {} }) =>
    version === undefined ? [] : [{ version, isWeak: weak !== undefined }],
  );
};
