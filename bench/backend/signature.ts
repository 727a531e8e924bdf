import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import { credentials, region } from '../lambda/environment.ts';

const signer = new SignatureV4({
  service: 'dynamodb',
  region,
  credentials,
  sha256: Sha256,
  // For DynamoDB, the header with the body's hash is optional.
  applyChecksum: false,
});

const mustBeSigned = ['host', 'x-amz-date', 'x-amz-security-token', 'x-amz-target'];
const maxSkewMs = 5 * 60 * 1000;

/** Whether a POST to `/` has the Signature Version 4 that AWS's own signer computes for it. */
export const isSigned = async (headers: IncomingHttpHeaders, body: string): Promise<boolean> => {
  const signedHeaders = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1]?.split(';') ?? [];
  const signingDate = parseDate(String(headers['x-amz-date']));
  // AWS rejects a clock skew of more than 5 minutes.
  if (!(Math.abs(signingDate.getTime() - Date.now()) <= maxSkewMs)) return false;
  if (!mustBeSigned.every((name) => signedHeaders.includes(name))) return false;
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

/** Parses `20260102T030405Z`. */
const parseDate = (text: string): Date =>
  new Date(text.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5'));

/** The parts of the Authorization header may be separated by a comma with or without a space. */
const withoutSpaces = (header: string | undefined): string | undefined => header?.replaceAll(', ', ',');
