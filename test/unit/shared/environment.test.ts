import { expect, it } from 'vitest';
import { credentialsFrom } from '../../../functions/shared/environment.ts';

const keys = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' };
const read = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };

it.each([
  [{ AWS_SESSION_TOKEN: 'session' }, { ...read, sessionToken: 'session' }],
  [{ AWS_SESSION_TOKEN: '' }, read],
  [{}, read],
])('credentials with %j have the session token that is set, and no empty one', (more, credentials) => {
  expect(credentialsFrom({ ...keys, ...more })).toStrictEqual(credentials);
});

it.each(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])(
  'credentials need %s, which an error names',
  (name) => {
    for (const none of ['', undefined])
      expect(() => credentialsFrom({ ...keys, [name]: none })).toThrow(name);
  },
);
