import { devNull } from 'node:os';

/** Settings of a machine on which tests must not depend; those of Git name the repository of a hook. */
const ignored = [
  /^AWS_/,
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|PREFIX)$/,
  /^(DEBUG|FORCE_COLOR|NODE_USE_ENV_PROXY|REQUIRED_SCOPE)$/,
];
for (const name of Object.keys(process.env))
  if (ignored.some((names) => names.test(name))) Reflect.deleteProperty(process.env, name);

/** For the repositories that tests make. */
const gitSettings = {
  'user.name': 'tests',
  'user.email': 'tests@example.com',
  'commit.gpgSign': 'false',
  'core.excludesFile': devNull,
  'core.hooksPath': devNull,
};

/** Variables of the tests that replace settings of the machine. */
export const environment: Readonly<Record<string, string>> = {
  AWS_CONFIG_FILE: devNull,
  AWS_SHARED_CREDENTIALS_FILE: devNull,
  // The templates of the stage `local` have them.
  ISSUER_PORT: '',
  STORE_PORT: '',
  GIT_CONFIG_COUNT: String(Object.keys(gitSettings).length),
  ...Object.fromEntries(
    Object.entries(gitSettings).flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${String(index)}`, key] as const,
      [`GIT_CONFIG_VALUE_${String(index)}`, value] as const,
    ]),
  ),
};
