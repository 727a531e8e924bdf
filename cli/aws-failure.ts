import { codeOf, Failure } from '../local/failure.ts';

/** Of the system, such as ECONNREFUSED; Node's own begin with ERR_. */
const networkCode = /^E(?!RR_)/;

/** What the person at the terminal can do about an error of the AWS SDK or of the way to the store; other errors as they are. */
export const explained = (error: unknown): Error => {
  if (!(error instanceof Error)) return new Error(String(error));
  if (error instanceof Failure) return error;
  const code = codeOf(error);
  if (error.name === 'ResourceNotFoundException')
    return new Failure(
      'There is no such table there. Check --stage, --table and --endpoint, or start the service again.',
    );
  if (error.name === 'CredentialsProviderError')
    return new Failure(
      'There are no AWS credentials. Log in, for example with aws sso login or AWS_PROFILE.',
    );
  if (/^Region (?:is missing|not accepted)/.test(error.message))
    return new Failure('There is no AWS Region. Set AWS_REGION, for example to eu-central-1.');
  if ((code !== undefined && networkCode.test(code)) || error.name === 'TimeoutError')
    return new Failure(`The store does not answer (${code ?? error.name}). Start it, or check the address.`);
  if ('$metadata' in error) return new Failure(`AWS refused: ${error.message} (${error.name})`);
  return error;
};
