/** Does nothing, to show the cost of the runtime. */
export const handler = (): Promise<unknown> => Promise.resolve({ statusCode: 200, body: '[]' });
