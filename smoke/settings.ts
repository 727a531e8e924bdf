import { UserError } from '../terminal/user-error.ts';

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

/** The service's address, from the variable `BASE_URL`. */
export const baseUrlFrom = (variable = ''): string => {
  const url = URL.parse(variable);
  // The token is sent to this address, so the connection must be encrypted.
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && loopbackHosts.includes(url.hostname));
  if (url === null || !isSafe || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new UserError(
      'Set BASE_URL to the https address of the service (the output BaseUrl of its stack), ' +
        'or to an http address of this machine, without user or query.',
    );
  }
  return url.href;
};

/** The access token, from the variable `TOKEN`. */
export const tokenFrom = (variable = ''): string => {
  if (!/^[\w.~+/-]+=*$/.test(variable)) {
    throw new UserError(
      'Set TOKEN to an access token for the service: the token alone, without "Bearer" or white space.',
    );
  }
  return variable;
};
