import { z } from 'zod';
import type { Respond } from '../../functions/http/operation.ts';
import { operations as definitions } from '../../infra/operations.ts';

const moduleSchema = z.object({
  catalogue: z.record(z.string(), z.object({ error: z.int(), statusCode: z.int(), message: z.string() })),
});
const isRespond = (value: unknown): value is Respond => typeof value === 'function';

/** The operations of the API, with the error catalogue and the `respond` that their folders export. */
export const operations = await Promise.all(
  definitions.map(async ({ id, route, folder }) => {
    const load = async (file: string): Promise<object> =>
      z.looseObject({}).parse(await import(`../../functions/${folder}/${file}.ts`));
    const { catalogue } = moduleSchema.parse(await load('errors'));
    const [respond] = Object.entries(await load('respond')).flatMap(([name, value]) =>
      name === 'respond' && isRespond(value) ? [value] : [],
    );
    if (respond === undefined) throw new Error(`functions/${folder}/respond.ts exports no respond.`);
    return { id, route, folder, catalogue, respond };
  }),
);
