import { z } from 'zod';
import type { TokenChanges } from '../support/issuer.ts';
import { type ServiceResponse, type Headers, send } from './client.ts';
import type { Item, Target } from './target.ts';

/** A plant as the API shows it. */
export interface Plant {
  readonly name: string;
  readonly tag?: string | undefined;
}

/** A user or group that no other test uses, so that tests share a table without meeting. */
export const newName = (kind: string): string => `${kind}-${crypto.randomUUID()}`;

export const key = (principal: string, name: string, id: string): Item => ({
  principal: { S: principal },
  sortKey: { S: `${name}\u0000${id}` },
});

export const item = (principal: string, name: string, id: string, tag?: string): Item => ({
  ...key(principal, name, id),
  name: { S: name },
  ...(tag !== undefined && { tag: { S: tag } }),
});

/** A caller of the service with a token of their own. */
export interface Caller {
  readonly subject: string;
  /** The partition key of the user's own plants. */
  readonly principal: string;
  readonly get: (target: string, headers?: Headers) => Promise<ServiceResponse>;
}

export const newCaller = (target: Target, groups: readonly string[] = []): Caller => {
  const subject = newName('user');
  const authorization = `Bearer ${target.issuer.token({ claims: { sub: subject, groups } })}`;
  return {
    subject,
    principal: `user#${subject}`,
    get: (path, headers = {}) => send(target.baseUrl, path, { authorization, ...headers }),
  };
};

/** Asks for the plants with an otherwise good token that is changed. */
export const getWith = async (target: Target, changes: TokenChanges): Promise<ServiceResponse> =>
  send(target.baseUrl, '/plants', { authorization: `Bearer ${target.issuer.token(changes)}` });

export const plantList = z.array(z.object({ name: z.string(), tag: z.string().optional() }));

/** The plants of a 200. */
export const plantsIn = ({ status, body }: ServiceResponse): readonly Plant[] => {
  if (status !== 200)
    throw new Error(`Expected plants; the answer was ${String(status)} ${JSON.stringify(body)}.`);
  return plantList.parse(body);
};

export const namesIn = (answer: ServiceResponse): readonly string[] =>
  plantsIn(answer).map(({ name }) => name);

/** The target of the `Link` to the next page, resolved against the path; undefined on the last page. */
export const nextIn = ({ headers }: ServiceResponse): string | undefined => {
  const query = /^<(\?[^>]+)>; rel="next"$/.exec(headers['link'] ?? '')?.[1];
  return query === undefined ? undefined : `/plants${query}`;
};

/** Reads page by page, from the first to the one without a `Link`. */
export const readPages = async (caller: Caller, limit: number): Promise<readonly (readonly Plant[])[]> => {
  const pages: (readonly Plant[])[] = [];
  let next: string | undefined = `/plants?limit=${String(limit)}`;
  while (next !== undefined) {
    const answer: ServiceResponse = await caller.get(next);
    pages.push(plantsIn(answer));
    next = nextIn(answer);
  }
  return pages;
};
