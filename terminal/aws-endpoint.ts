import { UserError } from './user-error.ts';

/**
 * Reads the address of an AWS service from the environment; undefined if it is not set or empty.
 * @throws {UserError} when it is set, but not to a URL that begins with http:// or https://
 */
export const endpointFrom = (variable: string): string | undefined => {
  const { [variable]: value = '' } = process.env;
  if (value === '') return undefined;
  if (/^https?:\/\//.test(value) && URL.canParse(value)) return value;
  throw new UserError(
    `${variable} must be an address that begins with http:// or https://; it is "${value}".`,
  );
};
