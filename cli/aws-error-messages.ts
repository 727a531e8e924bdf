import { isThrottling } from '../functions/dynamodb/throttling.ts';
import { codeOf, UserError } from '../terminal/user-error.ts';

/** Says what to check about an error of AWS, its SDK or the network. Returns any other as it is. */
export const toUserError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const lacksSetting = error.name.endsWith('ProviderError') || error.message.startsWith('Region ');
  if (!lacksSetting && !('$metadata' in error)) return error;
  let advice = 'that the store runs, its address, the network and the proxy';
  // With `$fault`, AWS responded.
  if (lacksSetting || '$fault' in error)
    advice = 'your AWS login, Region and endpoint, and the name of the stage or table';
  if (isThrottling(error.name)) advice = 'the limits of the table';
  const problem = `${error.message.replace(/\n.*/s, '')} (${codeOf(error) ?? error.name})`;
  return new UserError(`${problem}. Check ${advice}; then run the same command again.`);
};
