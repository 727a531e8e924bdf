import * as v from 'valibot';

/** The gateway's order to a process of the functions: run the function of a folder. */
export const invocationSchema = v.object({ id: v.number(), folder: v.string(), event: v.unknown() });

const folder = v.string();

/** What the gateway needs to know of the API. */
const apiSchema = v.object({
  routes: v.array(v.object({ key: v.string(), folder })),
  authorizer: folder,
  authorizerCacheSeconds: v.number(),
});

/** What a process of the functions reports. */
export const reportSchema = v.variant('type', [
  v.object({ type: v.literal('ready'), api: apiSchema }),
  v.object({ type: v.literal('load-failed'), problem: v.string() }),
  v.object({ type: v.literal('result'), id: v.number(), result: v.unknown() }),
  /** The function threw, timed out or returned too much, which its process prints. */
  v.object({ type: v.literal('failure'), id: v.number() }),
]);

export type Api = Readonly<v.InferOutput<typeof apiSchema>>;
export type Report = v.InferOutput<typeof reportSchema>;
