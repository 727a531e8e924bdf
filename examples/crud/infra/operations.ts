import { fields } from '../table/fields.ts';
import { requiredSamples } from '../table/sample-values.ts';
import { checkOperations } from './operation-definition.ts';

/** Headers of the requests that the hook and the tests send. */
const jsonHeaders = { 'content-type': 'application/json' };
const anyVersion = { 'if-match': '"any"' };
const noSuchPlant = { statusCode: 404, error: 1005 };

/**
 * The operations of the API. The stack deploys a new entry with the handler in its folder under `functions/`,
 * and `npm start` runs the entry (docs/crud.md).
 */
export const operations = checkOperations([
  {
    id: 'ListPlants',
    route: 'GET /plants',
    folder: 'list-plants',
    description: 'Lists the plants the caller has access to',
    withoutPlants: { statusCode: 200, body: '[]' },
  },
  {
    id: 'AddPlant',
    route: 'POST /plants',
    folder: 'add-plant',
    description: 'Adds a plant to those of the caller or of a group',
    actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
    request: {
      headers: { ...jsonHeaders, 'idempotency-key': 'pre-traffic-hook' },
      body: JSON.stringify({ ...requiredSamples(fields), name: 'pre-traffic-hook' }),
    },
    exposedHeaders: ['location', 'etag'],
    withoutPlants: { statusCode: 201 },
  },
  {
    id: 'FindPlant',
    route: 'GET /plants/{id}',
    folder: 'find-plant',
    description: 'Finds a plant the caller has access to by its id',
    actions: ['dynamodb:GetItem'],
    request: { headers: { 'if-none-match': '"any"' } },
    exposedHeaders: ['etag'],
    withoutPlants: noSuchPlant,
  },
  {
    id: 'ChangePlant',
    route: 'PATCH /plants/{id}',
    folder: 'change-plant',
    description: 'Changes fields of a plant the caller has access to',
    actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
    request: { headers: { ...jsonHeaders, ...anyVersion }, body: '{}' },
    exposedHeaders: ['etag'],
    withoutPlants: noSuchPlant,
  },
  {
    id: 'DeletePlant',
    route: 'DELETE /plants/{id}',
    folder: 'delete-plant',
    description: 'Deletes a plant the caller has access to',
    actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
    request: { headers: anyVersion, body: '' },
    withoutPlants: noSuchPlant,
  },
]);
