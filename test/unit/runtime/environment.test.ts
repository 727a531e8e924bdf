import { expect, it } from 'vitest';
import { credentialsFrom } from '../../../functions/runtime/environment.ts';

const keys = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' };
const read = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };

it('reads credentials with a session token', () => {
  const credentials = credentialsFrom({ ...keys, AWS_SESSION_TOKEN: 'session' });
  expect(credentials).toStrictEqual({ ...read, sessionToken: 'session' });
});

it('omits an empty session token', () => {
  expect(credentialsFrom({ ...keys, AWS_SESSION_TOKEN: '' })).toStrictEqual(read);
});
