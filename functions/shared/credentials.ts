import { type Environment, variable } from './environment.ts';

/** What Lambda gives a function to sign requests with. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/**
 * Reads the credentials that Lambda sets once for each execution environment.
 * @throws {Error} a sentence that names a missing variable
 */
export const credentialsFrom = (environment: Environment): Credentials => {
  const sessionToken = environment['AWS_SESSION_TOKEN'] ?? '';
  return {
    accessKeyId: variable(environment, 'AWS_ACCESS_KEY_ID'),
    secretAccessKey: variable(environment, 'AWS_SECRET_ACCESS_KEY'),
    ...(sessionToken !== '' && { sessionToken }),
  };
};
