import { codeOf } from '../terminal/user-error.ts';
import { UserError } from '../terminal/user-error.ts';
import { otherTable } from './table/grant.ts';

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

/** Converts an error that the person at the terminal can fix into a `UserError`; returns a defect unchanged. */
export const toUserError = (error: unknown): Error => {
  if (!(error instanceof Error)) return new Error(String(error));
  if (error instanceof UserError) return error;
  const code = codeOf(error);
  if (error.name === 'ResourceNotFoundException')
    return new UserError(
      'The table does not exist. Check its name, --stage and --endpoint, or start the service again.',
    );
  if (error.name === 'CredentialsProviderError')
    return new UserError(
      'There are no AWS credentials. Log in, for example with aws sso login or AWS_PROFILE.',
    );
  if (/^Region (?:is missing|not accepted)/.test(error.message))
    return new UserError('There is no AWS Region. Set AWS_REGION, for example to eu-central-1.');
  if (error.name === 'TimeoutError' || (code !== undefined && networkCodes.has(code)))
    return new UserError(
      `The store does not respond (${code ?? error.name}). Start it, or check the address.`,
    );
  // A system error such as ENOSPC; Node's own codes begin with ERR_.
  if (code !== undefined && /^E(?!RR_)/.test(code))
    return new UserError(`A file operation failed: ${error.message}.`);
  if (
    error.name === 'ValidationException' &&
    /key (?:element|schema)|schema element|Missing the key|required keys/.test(error.message)
  )
    return otherTable();
  if ('$metadata' in error)
    return new UserError(`AWS rejected the request: ${error.message} (${error.name})`);
  return error;
};
