import { codeOf, UserError } from '../terminal/user-error.ts';

const networkCodes = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** What the person at the terminal can do about an error; a mistake of ours stays as it is. */
export const toUserError = (error: unknown): Error => {
  if (!(error instanceof Error)) return new Error(String(error));
  if (error instanceof UserError) return error;
  const code = codeOf(error);
  if (error.name === 'ResourceNotFoundException')
    return new UserError(
      'There is no such table there. Check --stage, --table and --endpoint, or start the service again.',
    );
  if (error.name === 'CredentialsProviderError')
    return new UserError(
      'There are no AWS credentials. Log in, for example with aws sso login or AWS_PROFILE.',
    );
  if (/^Region (?:is missing|not accepted)/.test(error.message))
    return new UserError('There is no AWS Region. Set AWS_REGION, for example to eu-central-1.');
  if (error.name === 'TimeoutError' || (code !== undefined && networkCodes.has(code)))
    return new UserError(
      `The store does not answer (${code ?? error.name}). Start it, or check the address.`,
    );
  // Of the system, such as ENOSPC; Node's own begin with ERR_.
  if (code !== undefined && /^E(?!RR_)/.test(code)) return new UserError(`A file failed: ${error.message}.`);
  if ('$metadata' in error) return new UserError(`AWS refused: ${error.message} (${error.name})`);
  return error;
};
