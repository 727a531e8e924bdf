import { type Description, descriptionIn } from '../../smoke/response-differences.ts';

const tree = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    parts: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
    sizes: { type: 'object', additionalProperties: { type: 'integer' } },
  },
  additionalProperties: true,
};

/** A response that has a tree and may have a header. */
export const treeResponse = { headers: { 'X-Count': {} }, content: { 'application/json': { schema: tree } } };

/** A path item with one operation. */
export const getTree = { get: { responses: { 200: treeResponse } } };

/** A query parameter. */
export const parameter = { name: 'id', in: 'query', schema: { type: 'string' } };

/** The description of an API of trees with these paths. */
export const documentWith = (paths: object): Description => {
  const components = {
    schemas: { Tree: tree },
    parameters: { Id: parameter },
    pathItems: { List: getTree },
    responses: { Tree: treeResponse },
  };
  // The parser of YAML reads JSON, too.
  return descriptionIn(JSON.stringify({ openapi: '3.1.0', paths, components }));
};
