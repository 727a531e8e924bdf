import { findErrors } from '../http/resource-errors.ts';
import { throwAs } from '../http/service-error.ts';
import { StoreUnavailable } from '../plant-store/plant-store.ts';

/** Every error that the operation can respond with. */
export const catalogue = findErrors;

/** Throws the error that the caller gets for a failure of the store. */
export const throwServiceError = throwAs([[StoreUnavailable, catalogue.storeUnavailable]]);
