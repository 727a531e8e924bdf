import { devNull } from 'node:os';

// A Git hook that runs the tests has its repository in these variables. Tests make their own repositories.
for (const name of ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_OBJECT_DIRECTORY', 'GIT_PREFIX'])
  Reflect.deleteProperty(process.env, name);

/** The machine's settings must not change the repositories that tests make. */
const settings = {
  'user.name': 'tests',
  'user.email': 'tests@example.com',
  'commit.gpgSign': 'false',
  'core.excludesFile': devNull,
  'core.hooksPath': devNull,
};

/** Variables with these settings for Git. */
export const gitEnvironment: Readonly<Record<string, string>> = Object.fromEntries([
  ['GIT_CONFIG_COUNT', String(Object.keys(settings).length)],
  ...Object.entries(settings).flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${String(index)}`, key] as const,
    [`GIT_CONFIG_VALUE_${String(index)}`, value] as const,
  ]),
]);
