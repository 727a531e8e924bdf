import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { requestSigner } from '../../../functions/dynamodb/request-signature.ts';

const endpoints = fc.constantFrom(
  { region: 'eu-central-1', host: 'dynamodb.eu-central-1.amazonaws.com' },
  { region: 'cn-north-1', host: 'dynamodb.cn-north-1.amazonaws.com.cn' },
  { region: 'us-gov-west-1', host: '127.0.0.1:8000' },
);
const targets = fc.constantFrom('DynamoDB_20120810.Query', 'DynamoDB_20120810.PutItem');
const credentials = fc.record(
  {
    accessKeyId: fc.stringMatching(/^[A-Z0-9]{20}$/),
    secretAccessKey: fc.stringMatching(/^[\w/+]{40}$/),
    sessionToken: fc.stringMatching(/^[\w/+=]{1,80}$/),
  },
  { requiredKeys: ['accessKeyId', 'secretAccessKey'] },
);
const time = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
const requests = fc.array(fc.record({ target: targets, body: fc.string({ unit: 'grapheme' }), time }), {
  minLength: 1,
  maxLength: 4,
});

// Property: for any endpoint, credentials, requests and times, the signature is the one of the AWS SDK.
it('signs as the AWS SDK does, on whichever day a request is sent', () =>
  fc.assert(
    fc.asyncProperty(endpoints, credentials, requests, async ({ region, host }, signedBy, sent) => {
      const ours = requestSigner({ region, host, credentials: signedBy });
      const theirs = new SignatureV4({
        service: 'dynamodb',
        region,
        credentials: signedBy,
        sha256: Sha256,
        applyChecksum: false,
      });
      for (const { target, body, time: at } of sent) {
        const { authorization, ...headers } = ours(target, body, at);
        const request = { method: 'POST', protocol: 'https:', hostname: host, path: '/', body };
        const signed = await theirs.sign(
          { ...request, headers: { host, ...headers, 'x-amz-target': target } },
          { signingDate: at, signableHeaders: new Set(['content-type']) },
        );
        expect(authorization).toBe(signed.headers['authorization']);
      }
    }),
  ));
