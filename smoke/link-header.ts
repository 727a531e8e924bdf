import type { ServiceResponse } from './client.ts';

/** The reference to the next list page in the `Link` header; undefined on the last page. */
export const nextReference = ({ headers }: ServiceResponse): string | undefined =>
  /^<([^>]+)>; rel="next"$/.exec(headers['link'] ?? '')?.[1];

/** Path and query of the next list page, behind the base URL; undefined on the last page. */
export const nextTarget = (response: ServiceResponse): string | undefined => {
  const reference = nextReference(response);
  if (reference === undefined) return undefined;
  const { pathname, search } = new URL(reference, 'https://localhost/plants');
  return `${pathname}${search}`;
};

/** Replaces cursors, because a cursor holds a plant's name. */
export const withoutCursor = (text: string): string => text.replaceAll(/cursor=[^&>]+/g, 'cursor=...');
