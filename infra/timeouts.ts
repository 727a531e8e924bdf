// The stack and `npm start` apply these times.

/** The timeout of an operation: below the gateway's 30 s, above three attempts at the store (7.5 s). */
export const operationTimeoutSeconds = 10;

/** The timeout of the authorizer: above its longest wait for the key set, 3 s (sum: `fetchDeadline`). */
export const authorizerTimeoutSeconds = 5;

/** How long the gateway caches the authorizer's response for a token, in seconds; 0 disables the cache. */
export const authorizerCacheSeconds = 60;
