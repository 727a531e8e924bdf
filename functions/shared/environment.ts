/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads a required variable.
 * @throws {Error} a sentence that names the variable when it is missing or empty
 */
export const variable = (environment: Environment, name: string): string => {
  const value = environment[name];
  if (value === undefined || value === '') throw new Error(`Set the environment variable ${name}.`);
  return value;
};
