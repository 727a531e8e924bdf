import { isThrottling } from '../table/throttling.ts';
import { codeOf, UserError } from './terminal/user-error.ts';

/** Converts an error into one whose message says what to do. */
export const toUserError = (cause: unknown): UserError =>
  cause instanceof UserError ? cause : new UserError(adviceOn(cause), { cause });

/** An error of a command that was interrupted, with what to do about the rest. */
export const withAdvice = (cause: unknown, advice: string): UserError =>
  new UserError(`${toUserError(cause).message} ${advice}`, { cause });

/** Codes of a connection that fails, and of responses that are not HTTP or not JSON. */
const noStore =
  /^(EAI_|ECONN|EHOST|ENET|ENOTFOUND|EPROTO|ETIMEDOUT|ERR_PROXY_|ERR_SSL_|HPE_|SyntaxError|TimeoutError)/;

const adviceOn = (error: unknown): string => {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const code = codeOf(error) ?? name;
  if (isThrottling(name))
    return 'The table has throttled for three minutes. Try again later, or raise its limits.';
  if (noStore.test(code))
    return `The store does not respond (${code}). Start it, or check the address, the network and the proxy.`;
  if (/^ERR_TLS_|CERT|SIGNATURE/.test(code))
    return `The certificate is not trusted (${code}). Set NODE_EXTRA_CA_CERTS to a PEM file of your proxy's.`;
  const isSettings = name.endsWith('ProviderError') || message.startsWith('Region ');
  if (isSettings || (error instanceof Error && '$metadata' in error))
    return `AWS: ${message} (${name}). Check your AWS login, AWS_REGION, and the name of the stage or table.`;
  return `This is a defect (${code}). Run the command again with DEBUG=1, and report what it shows.`;
};
