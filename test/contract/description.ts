import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const document = z
  .looseObject({
    paths: z.object({
      '/plants': z.object({
        get: z.looseObject({
          responses: z.record(
            z.string(),
            z.looseObject({
              headers: z
                .record(z.string(), z.looseObject({ required: z.boolean().default(false) }))
                .default({}),
            }),
          ),
        }),
      }),
    }),
  })
  .parse(parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8')));

const { responses } = document.paths['/plants'].get;

/** Headers that mean something to a caller; others are the gateway's or HTTP's own. */
const contractHeaders = ['Link', 'Retry-After', 'WWW-Authenticate', 'Cache-Control', 'Vary'];

// The document holds more than schemas, so its other keywords are unknown to ajv.
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema({ $id: 'openapi', ...document });

/** Fails the test unless status, content type, headers and body of an answer are as `openapi.yaml` says. */
export const expectDescribed = (
  status: number,
  headers: Readonly<Record<string, string | undefined>>,
  body: unknown,
): void => {
  expect(Object.keys(responses), `the status of ${JSON.stringify(body).slice(0, 200)}`).toContain(
    String(status),
  );
  expect(headers['content-type']).toBe('application/json');
  const described = responses[String(status)]?.headers ?? {};
  const pointer = `openapi#/paths/~1plants/get/responses/${String(status)}`;
  for (const name of contractHeaders) {
    const value = headers[name.toLowerCase()];
    if (value === undefined) {
      expect(described[name]?.required ?? false, `${name} is required with status ${String(status)}`).toBe(
        false,
      );
    } else {
      expect(Object.keys(described), `the headers described for status ${String(status)}`).toContain(name);
      expectValid(`${pointer}/headers/${name}/schema`, /^\d+$/.test(value) ? Number(value) : value);
    }
  }
  expectValid(`${pointer}/content/application~1json/schema`, body);
};

const expectValid = (pointer: string, value: unknown): void => {
  const validate = ajv.getSchema(pointer);
  if (validate === undefined) throw new Error(`${pointer} is not in openapi.yaml.`);
  expect(
    validate(value) === true ? [] : validate.errors,
    `${pointer} for ${JSON.stringify(value).slice(0, 200)}`,
  ).toEqual([]);
};
