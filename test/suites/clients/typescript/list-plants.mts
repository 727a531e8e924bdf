// Lists plants with the types of openapi-typescript, and prints list pages or a failure as JSON.
import createClient from 'openapi-fetch';
import type { components, paths } from './plant-store.d.ts';

type Schemas = components['schemas'];
type Failure = { readonly status: number } & (Schemas['Error'] | Schemas['GatewayError']);

const { BASE_URL: baseUrl = '', TOKEN: token } = process.env;
const client = createClient<paths>({
  baseUrl,
  headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
});
const [, , argument] = process.argv;
const limit = argument === undefined ? {} : { limit: Number(argument) };

const read = async (): Promise<{ readonly pages: readonly Schemas['Plant'][][] } | Failure> => {
  const pages: Schemas['Plant'][][] = [];
  let query: NonNullable<paths['/plants']['get']['parameters']['query']> = limit;
  for (;;) {
    const { data, error, response } = await client.GET('/plants', { params: { query } });
    if (data === undefined) return { status: response.status, ...error };
    pages.push(data);
    const next = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    if (next === undefined) return { pages };
    query = { ...limit, cursor: new URL(next, response.url).searchParams.get('cursor') ?? '' };
  }
};

console.log(JSON.stringify(await read()));
