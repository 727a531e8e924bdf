import { z } from 'zod';
import { defaultActions } from '../../infra/operation-definition.ts';
import { operations as definitions } from '../../infra/operations.ts';

const moduleSchema = z.object({
  catalogue: z.record(z.string(), z.object({ error: z.int(), statusCode: z.int(), message: z.string() })),
});

/** The operations of the API, with the error catalogues that their folders export. */
export const operations = await Promise.all(
  definitions.map(async (definition) => {
    const { catalogue } = moduleSchema.parse(await import(`../../functions/${definition.folder}/errors.ts`));
    return { actions: defaultActions, ...definition, catalogue };
  }),
);
