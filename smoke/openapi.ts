import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Document, isNode, parseDocument, visit } from 'yaml';
import * as v from 'valibot';

/** Validates a value against a schema of the description. */
export interface Schema {
  readonly definition: unknown;
  readonly validate: ValidateFunction;
}

/** A described header, with its name as written. */
interface DescribedHeader {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
}

/** A response as `openapi.yaml` describes it. */
export interface DescribedResponse {
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, DescribedHeader>;
  /** By media type; empty for a response without a body. */
  readonly content: ReadonlyMap<string, { readonly schema: Schema; readonly examples: readonly unknown[] }>;
}

/** A route with its responses by status. */
export interface DescribedRoute {
  /** Method, space, path. */
  readonly key: string;
  readonly responses: ReadonlyMap<string, DescribedResponse>;
}

const methods = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace'] as const;

/** The routes that an OpenAPI document describes. */
export const routesIn = (yaml: string): readonly DescribedRoute[] => {
  const document = parseDocument(yaml);
  closeSchemas(document);
  resolveReferences(document);
  const { paths, components } = v.parse(
    v.object({ paths: v.record(v.string(), v.unknown()), components: v.unknown() }),
    document.toJS(),
  );
  const pathItem = pathItemWith(components);
  return Object.entries(v.parse(v.record(v.string(), pathItem), paths)).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { responses }]) => ({
      key: `${method.toUpperCase()} ${path}`,
      responses: new Map(Object.entries(responses)),
    })),
  );
};

/**
 * Forbids undocumented fields and error values, which the schemas allow because a later release may add them.
 * This release must not have any.
 */
const closeSchemas = (document: Document): void => {
  const errorValue = ['components', 'schemas', 'Error', 'properties', 'error'];
  document.setIn([...errorValue, 'enum'], document.getIn([...errorValue, 'examples']));
  visit(document, {
    Map: (_, map) => {
      if (map.get('additionalProperties') === true) map.set('additionalProperties', false);
    },
  });
};

/**
 * Puts targets in place of references. References to schemas stay, because they can be circular. ajv resolves
 * them.
 */
const resolveReferences = (document: Document): void => {
  visit(document, {
    Map: (_, map) => {
      const reference = map.get('$ref');
      if (typeof reference !== 'string' || reference.startsWith('#/components/schemas/')) return undefined;
      const [file, ...parts] = reference.split('/').map((part) => decodeURIComponent(part));
      const keys = parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
      const target = file === '#' ? document.getIn(keys, true) : undefined;
      if (!isNode(target)) throw new Error(`${reference} is not in openapi.yaml.`);
      return target;
    },
  });
};

/**
 * The schema (of valibot) of a path item, by which `v.parse` reads the responses of each method. It compiles
 * their JSON schemas, which can refer to these components.
 */
const pathItemWith = (components: unknown) => {
  const schemaOf = (ajv: Ajv2020) =>
    v.optional(
      v.pipe(
        v.record(v.string(), v.unknown()),
        v.transform((definition): Schema => ({
          definition,
          validate: ajv.compile({ ...definition, components }),
        })),
      ),
      {},
    );
  // Not strict, because ajv would reject the keywords that OpenAPI adds to JSON Schema.
  const bodyAjv = new Ajv2020({ strict: false });
  // Coerces types, because a header is text, whatever its schema's type.
  const headerAjv = new Ajv2020({ strict: false, coerceTypes: true });
  for (const ajv of [bodyAjv, headerAjv]) addFormats.default(ajv);

  const header = v.object({ required: v.optional(v.boolean(), false), schema: schemaOf(headerAjv) });
  const media = v.object({
    schema: schemaOf(bodyAjv),
    examples: v.optional(v.record(v.string(), v.object({ value: v.unknown() })), {}),
  });
  const response = v.pipe(
    v.object({
      headers: v.optional(v.record(v.string(), header), {}),
      content: v.optional(v.record(v.string(), media), {}),
    }),
    v.transform(({ headers, content }): DescribedResponse => ({
      headers: new Map(
        Object.entries(headers).map(([name, described]) => [name.toLowerCase(), { name, ...described }]),
      ),
      content: new Map(
        Object.entries(content).map(([type, { schema, examples }]) => [
          type,
          { schema, examples: Object.values(examples).map(({ value }) => value) },
        ]),
      ),
    })),
  );
  const operation = v.optional(v.object({ responses: v.record(v.string(), response) }));
  // Keeps the methods of a path alone, without its `parameters`, `servers` and descriptions.
  return v.object(v.entriesFromList(methods, operation));
};
