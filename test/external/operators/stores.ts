import { z } from 'zod';
import { startEmbeddedStore } from '../../../local/store/store.ts';

const { DYNAMODB_LOCAL_ENDPOINT } = z.object({ DYNAMODB_LOCAL_ENDPOINT: z.url() }).parse(process.env);

/** `share`: of all random commands; DynamoDB Local takes twice as long for one. */
export const stores = [
  {
    store: 'dynalite',
    share: 0.65,
    start: async () => (await startEmbeddedStore(0, 'STORE_PORT')).endpoint,
  },
  { store: 'DynamoDB Local', share: 0.35, start: () => Promise.resolve(DYNAMODB_LOCAL_ENDPOINT) },
] as const;
