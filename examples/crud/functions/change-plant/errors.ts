import { findErrors, resourceErrors } from '../http/resource-errors.ts';
import { type CatalogueEntry, throwAs } from '../http/service-error.ts';
import { StoreUnavailable } from '../plant-store/plant-store.ts';

const { invalidBody, invalidField, invalidCondition, unsupportedContent, versionChanged, conditionRequired } =
  resourceErrors;

/** Every error that the operation can respond with. */
export const catalogue = {
  ...findErrors,
  ...{ invalidBody, invalidField, invalidCondition, unsupportedContent, versionChanged, conditionRequired },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;

/** Throws the error that the caller gets for a failure of the store. */
export const throwServiceError = throwAs([[StoreUnavailable, catalogue.storeUnavailable]]);
