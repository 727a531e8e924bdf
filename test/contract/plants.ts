import type { ServiceResponse, Headers } from '../../smoke/client.ts';
import { nextTarget } from '../../smoke/link-header.ts';
import { type Plant, plantsInBody } from '../../smoke/plant-list.ts';
import { type Principal, principalOf } from '../../table/principal.ts';
import { item } from '../support/table/plants.ts';
import { send } from './described-responses.ts';
import type { Target } from './target.ts';

/** A user or group name that no other test uses, so that tests can share a table. */
export const newName = (kind: string): string => `${kind}-${crypto.randomUUID()}`;

/** A user with a token. */
export interface Caller {
  readonly subject: string;
  /** The partition key of the user's own plants. */
  readonly principal: Principal;
  /** Sends a request with the caller's token. */
  readonly send: (
    method: string,
    target: string,
    headers?: Headers,
    content?: string | Uint8Array,
  ) => Promise<ServiceResponse>;
  readonly get: (target: string, headers?: Headers, method?: string) => Promise<ServiceResponse>;
  readonly post: (target: string, headers?: Headers, content?: string) => Promise<ServiceResponse>;
}

export const newCaller = (
  target: Target,
  groups: readonly string[] = [],
  subject = newName('user'),
): Caller => {
  const authorization = `Bearer ${target.issuer.token({ claims: { sub: subject, groups } })}`;
  const sendAsCaller: Caller['send'] = (method, path, headers = {}, content) =>
    send(target.baseUrl, path, { authorization, ...headers }, method, content);
  return {
    subject,
    send: sendAsCaller,
    principal: principalOf('user', subject),
    get: (path, headers, method = 'GET') => sendAsCaller(method, path, headers),
    post: (path, headers, content) => sendAsCaller('POST', path, headers, content),
  };
};

/** A new caller with plants of these names. */
export const callerWith = async (target: Target, ...names: readonly string[]): Promise<Caller> => {
  const caller = newCaller(target);
  await target.put(names.map((name) => item(caller.principal, name)));
  return caller;
};

/** The plants in a response with status 200. */
export const plantsIn = ({ status, body }: ServiceResponse): readonly Plant[] => {
  const plants = status === 200 ? plantsInBody(body) : undefined;
  if (plants === undefined)
    throw new Error(`Expected plants; received ${String(status)} ${JSON.stringify(body)}.`);
  return plants;
};

export const namesIn = (response: ServiceResponse): readonly string[] =>
  plantsIn(response).map(({ name }) => name);

/** Follows the links from the first page to the last. */
export const readPages = async (caller: Caller, limit: number): Promise<readonly (readonly Plant[])[]> => {
  const pages: (readonly Plant[])[] = [];
  let next: string | undefined = `/plants?limit=${String(limit)}`;
  while (next !== undefined) {
    const response: ServiceResponse = await caller.get(next);
    pages.push(plantsIn(response));
    next = nextTarget(response);
  }
  return pages;
};
