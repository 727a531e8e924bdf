// One project of Vitest for each suite, which npm run test:suites -- NAME runs.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { environment } from '../support/environment.ts';
import { suites } from './suites.ts';

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    projects: suites.map(({ name }) => ({
      extends: true,
      test: {
        name,
        include: [`test/suites/${name}.test.ts`, `test/suites/${name}/[!.]*.test.ts`],
        globalSetup: ['test/support/temporary-folder.ts', 'test/suites/start-systems.ts'],
      },
    })),
    env: environment,
    // Vite loads `@actions/languageservice`, because the package imports JSON without the attribute that
    // Node.js requires.
    server: { deps: { inline: [/@actions/] } },
    // The timeouts are long, because systems in containers or with faults are slow.
    testTimeout: 120_000,
    hookTimeout: 300_000,
    // With a lower threshold, lines about slow tests would hide the failures in the log of .ci/run.
    slowTestThreshold: 120_000,
  },
});
