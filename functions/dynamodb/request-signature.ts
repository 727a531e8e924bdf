import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import type { Credentials } from '../runtime/environment.ts';

/** What all signed requests have in common. */
interface SignedRequests {
  readonly region: string;
  /** With its port, as in the header. */
  readonly host: string;
  /** DynamoDB's name of the action, for the header `X-Amz-Target`. */
  readonly target: string;
  readonly credentials: Credentials;
}

/** The headers of a request with this body, signed at this time. */
type Sign = (body: string, time: Date) => Readonly<Record<string, string>>;

const algorithm = 'AWS4-HMAC-SHA256';

/**
 * Signs requests of DynamoDB's protocol, POST to `/` (AWS: "Create a signed AWS API request"). It takes
 * 25 µs; AWS's own library, @smithy/signature-v4, takes 130 to 180 µs and 24 ms more to load.
 */
export const requestSigner = ({ region, host, target, credentials }: SignedRequests): Sign => {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  let signing: { readonly day: string; readonly key: KeyObject } | undefined;

  const keyOf = (day: string): KeyObject => {
    if (signing?.day !== day) {
      const key = [region, 'dynamodb', 'aws4_request'].reduce(hmac, hmac(`AWS4${secretAccessKey}`, day));
      // Importing the key's bytes for each signature would take longer than the HMAC.
      signing = { day, key: createSecretKey(key) };
    }
    return signing.key;
  };

  return (body, time) => {
    const timestamp = time.toISOString().replace(/[:-]|\.\d{3}/g, '');
    const day = timestamp.slice(0, 8);
    // Sorted by name, as Signature Version 4 requires.
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      host,
      'x-amz-date': timestamp,
      ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
      'x-amz-target': target,
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}`);
    const names = Object.keys(headers).join(';');
    const request = ['POST', '/', '', ...lines, '', names, hash('sha256', body)].join('\n');
    const scope = `${day}/${region}/dynamodb/aws4_request`;
    const text = [algorithm, timestamp, scope, hash('sha256', request)].join('\n');
    const signature = hmac(keyOf(day), text).toString('hex');
    const credential = `Credential=${accessKeyId}/${scope}`;
    const authorization = `${algorithm} ${credential}, SignedHeaders=${names}, Signature=${signature}`;
    return { ...headers, authorization };
  };
};

const hmac = (key: string | Buffer | KeyObject, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();
