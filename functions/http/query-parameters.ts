import type { HttpEvent } from './payload-format.ts';

/**
 * The parameters of the raw query string, because the gateway joins repeated parameters in
 * `queryStringParameters` by commas.
 */
export const queryParameters = ({ rawQueryString = '' }: HttpEvent): URLSearchParams =>
  // The constructor removes the first `?`. A further one belongs to the name of the first parameter.
  new URLSearchParams(`?${rawQueryString}`);
