import * as v from 'valibot';

/** What the gateway sends to a process of the functions: the event for the function of a folder. */
export const invocationSchema = v.object({ id: v.number(), folder: v.string(), event: v.unknown() });

const folder = v.string();

/** The routes and the authorizer of the gateway. */
const apiSchema = v.object({
  routes: v.array(v.object({ key: v.string(), folder })),
  authorizer: folder,
  authorizerCacheSeconds: v.number(),
});

/** What a process of the functions sends to the gateway. */
export const reportSchema = v.variant('type', [
  v.object({ type: v.literal('ready'), api: apiSchema }),
  v.object({ type: v.literal('load-failed'), problem: v.string() }),
  v.object({ type: v.literal('result'), id: v.number(), result: v.unknown() }),
  // Without a reason, because the process of the functions prints why the function failed.
  v.object({ type: v.literal('failure'), id: v.number() }),
]);

export type Api = Readonly<v.InferOutput<typeof apiSchema>>;
export type Report = v.InferOutput<typeof reportSchema>;
