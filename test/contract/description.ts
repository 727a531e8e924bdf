import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isNode, parseDocument, visit } from 'yaml';
import { z } from 'zod';

const schema = z.record(z.string(), z.unknown());
const header = z.object({ required: z.boolean().default(false), schema });
const response = z.object({
  headers: z.record(z.string(), header).default({}),
  content: z
    .object({
      'application/json': z.object({
        schema,
        examples: z.record(z.string(), z.object({ value: z.unknown() })).default({}),
      }),
    })
    .optional(),
});
type DescribedResponse = z.infer<typeof response>;
const operation = z.object({ responses: z.record(z.string(), response) });

const document = parseDocument(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'));
// References are resolved, and open schemas are closed: only a later release may add fields or error values.
const errorValue = ['components', 'schemas', 'Error', 'properties', 'error'];
document.setIn([...errorValue, 'enum'], document.getIn([...errorValue, 'examples']));
visit(document, {
  Map: (_, map) => {
    if (map.has('additionalProperties')) map.set('additionalProperties', false);
    const reference = map.get('$ref');
    if (typeof reference !== 'string') return undefined;
    const target = document.getIn(reference.split('/').slice(1), true);
    if (!isNode(target)) throw new Error(`${reference} is not in openapi.yaml.`);
    return target;
  },
});

const { paths } = z
  .object({ paths: z.record(z.string(), z.record(z.string(), operation)) })
  .parse(document.toJS());
/** The described routes. */
export const routes = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { responses }]) => ({
    key: `${method.toUpperCase()} ${path}`,
    responses,
  })),
);
const routeOf = (request: string) => mostSpecific(routes, request.replace(/\?.*/s, ''));

/** Sorts a parameter after any text. */
const rank = (key: string): string => key.replaceAll('{', '\uffff');

/** The route that the gateway chooses: at the first difference, text has priority over a parameter. */
export const mostSpecific = <Route extends { readonly key: string }>(
  all: readonly Route[],
  request: string,
): Route | undefined =>
  all
    .filter(({ key }) => new RegExp(`^${key.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(request))
    .toSorted((one, other) => (rank(one.key) < rank(other.key) ? -1 : 1))[0];

/** Whether `openapi.yaml` has a route for a request: method, space, target. */
export const isDescribed = (request: string): boolean => routeOf(request) !== undefined;

/** Headers that are part of the contract. The gateway and HTTP add others. */
const contractHeaders = [
  'Link',
  'Retry-After',
  'WWW-Authenticate',
  'x-amzn-remapped-www-authenticate',
  'apigw-requestid',
  'Cache-Control',
  'Vary',
];

// In strict mode, ajv rejects the keywords that OpenAPI adds to JSON Schema.
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

/**
 * Lists the differences between a response and `openapi.yaml`: what was expected, and what was received.
 * The texts contain no plant name, so they can be logged.
 * @param request method, space, target; without a route, it is checked as `GET /plants`
 * @param body the JSON; undefined when it was not JSON
 */
export const undescribed = (
  request: string,
  status: number,
  headers: Readonly<Record<string, string | undefined>>,
  body: unknown,
): readonly string[] => {
  const documented = (routeOf(request) ?? routeOf('GET /plants'))?.responses[String(status)];
  if (documented === undefined) return [`expected a documented status; received ${String(status)}`];
  return [
    ...contractHeaders.flatMap((name) => {
      const described = documented.headers[name];
      const value = headers[name.toLowerCase()];
      if (value === undefined) return described?.required === true ? [`expected ${name}; received none`] : [];
      if (described === undefined) return [`expected no ${name} with status ${String(status)}; received one`];
      return violations(described.schema, /^\d+$/.test(value) ? Number(value) : value).map(
        () => `expected ${name} as ${JSON.stringify(described.schema)}; received ${withoutCursor(value)}`,
      );
    }),
    ...contentDifferences(documented, headers, body),
  ];
};

/** Lists the differences between the content of a response and its description, which may have none. */
export const contentDifferences = (
  { content }: Pick<DescribedResponse, 'content'>,
  { 'content-type': type, 'content-length': length = '0' }: Readonly<Record<string, string | undefined>>,
  body: unknown,
): readonly string[] => {
  if (content === undefined) return length === '0' ? [] : [`expected no content; received ${length} bytes`];
  return [
    ...(type === 'application/json'
      ? []
      : [`expected Content-Type application/json; received ${type ?? 'none'}`]),
    ...(body === undefined
      ? ['expected a body in JSON; received another']
      : violations(content['application/json'].schema, body).map(
          ({ instancePath, message = 'be valid', params }) =>
            'expected a body as described; ' +
            `received one in which ${instancePath} ${message} ${JSON.stringify(params)}`,
        )),
  ];
};

/** Replaces cursors, because a cursor holds a plant's name. */
export const withoutCursor = (text: string): string => text.replaceAll(/cursor=[^&>]+/g, 'cursor=...');

/** Fails unless status, content type, headers and body of a response are as `openapi.yaml` describes. */
export const expectDescribed = (...response: Parameters<typeof undescribed>): void => {
  const differences = undescribed(...response);
  assert(differences.length === 0, `${differences.join('; ')}, in ${JSON.stringify(response).slice(0, 500)}`);
};

const violations = (schema: Readonly<Record<string, unknown>>, value: unknown): readonly ErrorObject[] => {
  const validate = ajv.compile(schema);
  return validate(value) ? [] : (validate.errors ?? []);
};
