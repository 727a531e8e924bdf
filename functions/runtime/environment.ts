/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** @throws {Error} a sentence that names the variable when it is missing or empty */
export const variable = (environment: Environment, name: string): string => {
  const value = environment[name];
  if (value === undefined || value === '') throw new Error(`Set the environment variable ${name}.`);
  return value;
};

/** The credentials of a function's role, with which it signs requests to AWS. */
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
