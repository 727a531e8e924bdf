import { commonErrors } from '../http/common-errors.ts';
import { resourceErrors } from '../http/resource-errors.ts';
import { type CatalogueEntry, throwAs } from '../http/service-error.ts';
import { StoreUnavailable } from '../plant-store/plant-store.ts';
import { KeyReused } from './add-once.ts';

const { invalidBody, invalidField, invalidKey, invalidGroup, unsupportedContent, keyReused } = resourceErrors;

/** Every error that the operation can respond with. */
export const catalogue = {
  ...commonErrors,
  ...{ invalidBody, invalidField, invalidKey, invalidGroup, unsupportedContent, keyReused },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;

/** Throws the error that the caller gets for a failure of the store, or for a key used with other content. */
export const throwServiceError = throwAs([
  [StoreUnavailable, catalogue.storeUnavailable],
  [KeyReused, catalogue.keyReused],
]);
