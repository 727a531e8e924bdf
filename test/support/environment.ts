import { devNull } from 'node:os';

/**
 * Environment variables on which tests must not depend. In a hook, Git sets its variables to the repository
 * that runs the hook.
 */
const ignored = [
  /^AWS_/,
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|PREFIX)$/,
  /^(DEBUG|FORCE_COLOR|NODE_USE_ENV_PROXY|REQUIRED_SCOPE)$/,
];
for (const name of Object.keys(process.env))
  if (ignored.some((names) => names.test(name))) Reflect.deleteProperty(process.env, name);

/** Settings of Git for the repositories that tests make. */
const gitSettings = {
  'user.name': 'tests',
  'user.email': 'tests@example.com',
  'commit.gpgSign': 'false',
  'core.excludesFile': devNull,
  'core.hooksPath': devNull,
};

/** Environment variables that replace settings of the machine in the tests. */
export const environment: Readonly<Record<string, string>> = {
  AWS_CONFIG_FILE: devNull,
  AWS_SHARED_CREDENTIALS_FILE: devNull,
  // The template of stage `local` contains these ports, so a machine's own would change its snapshot.
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
