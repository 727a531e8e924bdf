import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listen } from '../../local/listen.ts';
import { copyProject, type ProjectCopy, runCommand } from '../support/local-service.ts';

let project: ProjectCopy;
beforeEach(() => {
  project = copyProject();
});
afterEach(() => {
  project.remove();
});

/** Runs it where only these commands exist. */
const failedStart = async (commands: Readonly<Record<string, string>>, port = '0'): Promise<string> => {
  for (const [name, script] of Object.entries(commands)) {
    writeFileSync(join(project.folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  const environment = { PATH: project.folder, PORT: port };
  const { code, output } = await runCommand(
    process.execPath,
    project.folder,
    ['local/sam/main.ts'],
    environment,
  ).ended;
  expect(code, output).toBe(1);
  return output;
};

/** A container engine whose containers reach the loopback address. */
const docker = 'echo Docker Desktop';

describe('npm run sam reports in one line', () => {
  it('that no container engine responds', async () => {
    for (const commands of [{}, { docker: 'exit 1' }]) {
      expect(await failedStart(commands)).toMatch(/^No container engine .*Docker.*\n$/);
    }
  });

  it('that SAM is not installed', async () => {
    expect(await failedStart({ docker })).toMatch(/^The command sam .*SAM CLI.*\n$/);
  });

  it.each(['JWKS_URI', 'AWS_ENDPOINT_URL_DYNAMODB'])('that the port of %s is in use', async (variable) => {
    const [taken, free] = [createServer(), createServer()];
    const ports = await Promise.all([taken, free].map((each) => listen(each, 0, variable)));
    free.close();
    const [takenPort, freePort] = ports.map(String);
    const [issuerPort, storePort] = variable === 'JWKS_URI' ? [takenPort, freePort] : [freePort, takenPort];
    project.edit('local/sam/env.json', ':9000', `:${issuerPort ?? ''}`);
    project.edit('local/sam/env.json', ':8000', `:${storePort ?? ''}`);
    try {
      expect(await failedStart({ docker, sam: 'exit 0' })).toMatch(
        new RegExp(`^Port ${takenPort ?? ''} is in use\\. .*${variable}.*local/sam/env\\.json.*\\n$`),
      );
    } finally {
      taken.close();
    }
  });

  it('that PORT is in use', async () => {
    const taken = createServer();
    const port = String(await listen(taken, 0, 'PORT'));
    try {
      expect(await failedStart({ docker, sam: 'exit 0' }, port)).toMatch(
        new RegExp(`^Port ${port} is in use\\. .*\\bPORT\\b.*\\n$`),
      );
    } finally {
      taken.close();
    }
  });

  it.each([
    ['has no port for the store', ':8000', ''],
    ['names no table', '"PlantStore-local"', '""'],
    ['is not JSON', '{', ''],
  ])('that env.json %s', async (_what, text, replacement) => {
    project.edit('local/sam/env.json', text, replacement);
    expect(await failedStart({})).toMatch(
      /^local\/sam\/env\.json .*Parameters.*AWS_ENDPOINT_URL_DYNAMODB.*JWKS_URI.*TABLE_NAME.*\n$/,
    );
  });
});
