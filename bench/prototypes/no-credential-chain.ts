/** In place of the SDK's chain of credential sources, for a client that is given its credentials. */
export const defaultProvider = (): never => {
  throw new Error('The client is given its credentials.');
};
