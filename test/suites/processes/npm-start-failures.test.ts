import { createServer } from 'node:http';
import { afterAll, expect, it } from 'vitest';
import { listen } from '../../../local/listen.ts';
import { ownLines } from '../../support/lines.ts';
import { stopServer } from '../../support/loopback-server.ts';
import { copyProject, freePorts, npm } from '../../support/service/local-service.ts';

const project = copyProject();
afterAll(project.remove);

/** The only line that a start prints before it ends with code 1, apart from those about its progress. */
const failedStart = async (parameters: readonly string[] = [], environment = {}): Promise<string> => {
  const ports = { ...freePorts, ...environment };
  const { code, output } = await npm(project.folder, ['start', '--', ...parameters], ports).ended;
  const lines = ownLines(output).filter((line) => !line.endsWith('…'));
  expect([code, lines.length], output).toEqual([1, 1]);
  return lines.join();
};

it('says which port is in use', async () => {
  const other = createServer();
  const port = String(await listen(other, 0, 'ISSUER_PORT'));
  expect(await failedStart([], { ISSUER_PORT: port })).toMatch(/^Port \d+ .* in use\. Set ISSUER_PORT /);
  await stopServer(other);
});

it('says that it takes no arguments', async () => {
  expect(await failedStart(['--port', '4111'])).toMatch(/^Unknown argument "--port"\. .*npm start -- --help/);
});

it.each([
  [
    'a function does not parse',
    'functions/list-plants/respond.ts',
    ['export const parseLimit', 'export const const parseLimit'],
    /^functions\/list-plants\/respond\.ts:\d+:\d+: .+\.$/,
  ],
  [
    'a stage has a wrong setting',
    'infra/stages.ts',
    ['memoryMb: {}', 'memoryMb: { Authorizer: 64 }'],
    /^infra\/stage\.ts:\d+:\d+: Stage "local": memoryMb\.Authorizer: .*128.*\.$/,
  ],
] as const)('says where %s', async (_, file, [text, replacement], message) => {
  const restore = project.edit(file, text, replacement);
  expect(await failedStart()).toMatch(message);
  restore();
});
