import { checkOperations } from './operation-definition.ts';

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
]);
