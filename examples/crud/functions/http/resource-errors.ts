import { commonErrors } from './common-errors.ts';
import type { CatalogueEntry } from './service-error.ts';

/** Far more than the fields of a plant need. API Gateway would accept 10 MB. */
export const maxBodyKilobytes = 64;

/** The errors of operations that read or write one plant. */
export const resourceErrors = {
  noSuchPlant: {
    error: 1005,
    statusCode: 404,
    message: 'You have access to no plant with this id. List your plants to see their ids.',
  },
  invalidBody: {
    error: 1006,
    statusCode: 400,
    message:
      `The body is not valid. Send a JSON object in UTF-8, of at most ${String(maxBodyKilobytes)} KB, ` +
      'that has each member once.',
  },
  /** Operations replace the message by one that names the field. */
  invalidField: {
    error: 1007,
    statusCode: 400,
    message: 'A field of the plant is not valid. Correct the field that the message names.',
  },
  invalidKey: {
    error: 1008,
    statusCode: 400,
    message: 'The Idempotency-Key is not valid. Send 1 to 255 visible ASCII characters.',
  },
  invalidGroup: {
    error: 1009,
    statusCode: 400,
    message: 'The group is not valid. Pass one group of your token, or none to add a plant of your own.',
  },
  invalidCondition: {
    error: 1010,
    statusCode: 400,
    message: 'The If-Match header is not valid. Send the ETag of the plant as you received it.',
  },
  unsupportedContent: {
    error: 1011,
    statusCode: 415,
    message:
      'The format of the body is not supported. Send JSON in UTF-8, with the Content-Type of JSON and ' +
      'without Content-Encoding.',
  },
  versionChanged: {
    error: 1012,
    statusCode: 412,
    message:
      'The plant has changed since you read it. Read it again, and decide whether to send the request with ' +
      'the new ETag.',
  },
  keyReused: {
    error: 1013,
    statusCode: 422,
    message: 'An earlier request with this Idempotency-Key had another body or group. Send a new key.',
  },
  conditionRequired: {
    error: 1014,
    statusCode: 428,
    message: 'The If-Match header is missing. Send the ETag of the plant as you last received it.',
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;

/** The errors of every operation that finds a plant by its id. */
export const findErrors = { ...commonErrors, noSuchPlant: resourceErrors.noSuchPlant };
