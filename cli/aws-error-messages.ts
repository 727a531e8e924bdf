import { isThrottling } from '../functions/dynamodb/throttling.ts';
import { codeOf, UserError } from '../terminal/user-error.ts';

/** Says what to check about an error of AWS, its SDK or the network. Returns any other error as it is. */
export const toUserError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const isConfigurationError = error.name.endsWith('ProviderError') || error.message.startsWith('Region ');
  if (!isConfigurationError && !('$metadata' in error)) return error;
  // The SDK adds `$fault` to an error only if AWS responded with the error.
  const isNetworkError = !isConfigurationError && !('$fault' in error);
  const problem = `${error.message.replace(/\n.*/s, '')} (${codeOf(error) ?? error.name})`;
  return new UserError(
    `${problem}. Check ${whatToCheck(error, isNetworkError)}; then run the same command again.`,
  );
};

const whatToCheck = ({ name }: Error, isNetworkError: boolean): string => {
  if (isThrottling(name)) return 'the limits of the table';
  return isNetworkError
    ? 'that the store runs, its address, the network and the proxy'
    : 'your AWS login, Region and endpoint, and the name of the stage or table';
};
