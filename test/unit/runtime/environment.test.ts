import { expect, it } from 'vitest';
import { credentialsFrom } from '../../../functions/runtime/environment.ts';

const keys = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' };
const read = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };

it.each([
  [{ AWS_SESSION_TOKEN: 'session' }, { ...read, sessionToken: 'session' }],
  [{ AWS_SESSION_TOKEN: '' }, read],
])('credentials have a session token only if one is set and not empty: %j', (more, credentials) => {
  expect(credentialsFrom({ ...keys, ...more })).toStrictEqual(credentials);
});
