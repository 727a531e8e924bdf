import { isThrottling } from '../table/throttling.ts';
import { codeOf, UserError } from './terminal/user-error.ts';

/** Converts an error into one whose message says what to do. */
export const toUserError = (cause: unknown): UserError =>
  cause instanceof UserError ? cause : new UserError(adviceOn(cause), { cause });

const adviceOn = (error: unknown): string => {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const code = codeOf(error) ?? name;
  if (isThrottling(name))
    return 'The table has throttled for three minutes. Try again later, or raise its limits.';
  if (name === 'ResourceNotFoundException')
    return 'There is no such table in this account and Region. Check its name, or restart the local service.';
  if (/^(Credentials|Token)ProviderError$/.test(name))
    return 'There are no AWS credentials. Log in, for example with aws sso login, or set AWS_PROFILE.';
  if (/^Region (is missing|not accepted)/.test(message))
    return 'There is no AWS Region. Set AWS_REGION, for example to eu-central-1.';
  if (name === 'TimeoutError' || /^(EAI_|ECONN|EHOST|ENET|ENOTFOUND|ETIMEDOUT|ERR_PROXY_TUNNEL)/.test(code))
    return `The store does not respond (${code}). Start it, or check the address, the network and the proxy.`;
  if (/^ERR_TLS_|CERT|SIGNATURE/.test(code))
    return `The certificate is not trusted (${code}). Set NODE_EXTRA_CA_CERTS to a PEM file of your proxy's.`;
  if (error instanceof Error && '$metadata' in error) return `AWS refused the request: ${message} (${name})`;
  return `This is a defect (${code}). Run the command again with DEBUG=1, and report what it shows.`;
};
