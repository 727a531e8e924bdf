import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
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
                .record(
                  z.string(),
                  z.looseObject({ required: z.boolean().default(false), schema: z.unknown() }),
                )
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

/**
 * Says in which points an answer is not as `openapi.yaml` describes it: what was expected and what came.
 * A plant's name is never said, so that the text may stand in a log.
 * @param body the JSON; undefined when it was not JSON
 */
export const undescribed = (
  status: number,
  headers: Readonly<Record<string, string | undefined>>,
  body: unknown,
): readonly string[] => {
  const response = responses[String(status)];
  if (response === undefined) return [`expected a status that is described; came ${String(status)}`];
  const type = headers['content-type'];
  const pointer = `openapi#/paths/~1plants/get/responses/${String(status)}`;
  return [
    ...(type === 'application/json'
      ? []
      : [`expected Content-Type application/json; came ${type ?? 'no such header'}`]),
    ...contractHeaders.flatMap((name) => {
      const described = response.headers[name];
      const value = headers[name.toLowerCase()];
      if (value === undefined) return described?.required === true ? [`expected ${name}; none came`] : [];
      if (described === undefined) return [`expected no ${name} with status ${String(status)}; one came`];
      return violations(`${pointer}/headers/${name}/schema`, /^\d+$/.test(value) ? Number(value) : value).map(
        () => `expected ${name} as ${JSON.stringify(described.schema)}; came ${withoutCursor(value)}`,
      );
    }),
    ...(body === undefined
      ? ['expected a body of JSON; another came']
      : violations(`${pointer}/content/application~1json/schema`, body).map(
          ({ instancePath, message = 'be valid', params }) =>
            `expected a body as described; came one in which ${instancePath} ${message} ${JSON.stringify(params)}`,
        )),
  ];
};

/** A cursor holds a plant's name. */
export const withoutCursor = (text: string): string => text.replaceAll(/cursor=[^&>]+/g, 'cursor=...');

/** Fails the test unless status, content type, headers and body of an answer are as `openapi.yaml` says. */
export const expectDescribed = (...answer: Parameters<typeof undescribed>): void => {
  const points = undescribed(...answer);
  assert(points.length === 0, `${points.join('; ')}, in ${JSON.stringify(answer).slice(0, 500)}`);
};

const violations = (pointer: string, value: unknown): readonly ErrorObject[] => {
  const validate = ajv.getSchema(pointer);
  if (validate === undefined) throw new Error(`${pointer} is not in openapi.yaml.`);
  return validate(value) === true ? [] : (validate.errors ?? []);
};
