import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';

/** The credentials in a function's environment variables. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

const maxSkewMs = 5 * 60 * 1000;

/**
 * Checks whether a POST to `/` has a valid Signature Version 4, by signing it again.
 * @returns a check for DynamoDB in one Region
 */
export const signatureChecker = (
  credentials: Credentials,
  region: string,
): ((headers: IncomingHttpHeaders, body: string) => Promise<boolean>) => {
  const signer = new SignatureV4({
    service: 'dynamodb',
    region,
    credentials,
    sha256: Sha256,
    // For DynamoDB, the header with the body's hash is optional.
    applyChecksum: false,
  });
  return async (headers, body) => {
    const signedHeaders = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1]?.split(';') ?? [];
    const signingDate = parseDate(headers['x-amz-date']);
    if (signingDate === undefined || !mustBeSigned.every((name) => signedHeaders.includes(name)))
      return false;
    const bodyHash = headers['x-amz-content-sha256'];
    if (bodyHash !== undefined && bodyHash !== createHash('sha256').update(body).digest('hex')) return false;
    const again = await signer.sign(
      {
        method: 'POST',
        protocol: 'https:',
        hostname: headers.host ?? '',
        path: '/',
        headers: Object.fromEntries(signedHeaders.map((name) => [name, String(headers[name])])),
        body,
      },
      { signingDate, signableHeaders: new Set(signedHeaders) },
    );
    return withoutSpaces(again.headers['authorization']) === withoutSpaces(headers.authorization);
  };
};

const mustBeSigned = ['host', 'x-amz-date', 'x-amz-security-token', 'x-amz-target'];

/** Parses `20260102T030405Z`; undefined also for a time that is too far from now for AWS. */
const parseDate = (text: unknown): Date | undefined => {
  if (typeof text !== 'string') return undefined;
  const date = new Date(text.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5'));
  return Math.abs(date.getTime() - Date.now()) <= maxSkewMs ? date : undefined;
};

/** The parts of the Authorization header may be separated by a comma with or without a space. */
const withoutSpaces = (header: string | undefined): string | undefined => header?.replaceAll(', ', ',');
