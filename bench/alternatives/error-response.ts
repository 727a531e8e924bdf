import { catalogue } from '../../functions/list-plants/errors.ts';
import { type CatalogueEntry, ServiceError } from '../../functions/shared/errors.ts';

/** The response for anything thrown. */
export const errorResponse = (
  error: unknown,
): Pick<CatalogueEntry, 'statusCode'> & { readonly body: Pick<CatalogueEntry, 'error' | 'message'> } => {
  const entry = error instanceof ServiceError ? error.entry : catalogue.unexpected;
  return { statusCode: entry.statusCode, body: { error: entry.error, message: entry.message } };
};
