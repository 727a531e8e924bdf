// The suite `requests` proves: the response to any request that Schemathesis makes from `openapi.yaml`, valid
// or not, is as `openapi.yaml` describes and never 5xx, and no token is logged. It cannot show how AWS
// responds to unusual requests, and leaves invalid HTTP to Node.js.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { operations } from '../../../infra/operations.ts';
import { exchange, type ServiceResponse } from '../../../smoke/client.ts';
import { nextTarget } from '../../../smoke/link-header.ts';
import { copyProject, type ProjectCopy } from '../../support/service/project-copy.ts';
import { type LocalService, startService } from '../../support/service/running-service.ts';
import { runTool } from '../run-tool.ts';

const schemathesis = z.string().parse(process.env['SCHEMATHESIS_COMMAND']);
const configuration = 'test/suites/requests/schemathesis.toml';

const report = z.object({
  phases: z.record(z.string(), z.object({ status: z.string() })),
  test_cases: z.object({ generated: z.number() }),
});

let project: ProjectCopy;
let service: LocalService;
let token: string;
/** What npm start printed before the first request. */
let started: string;
/** The cursors of the Link headers from the first page to the last. */
const cursors = async (): Promise<readonly string[]> => {
  const found: string[] = [];
  let target: string | undefined = '/plants?limit=1';
  while (target !== undefined) {
    const headers = { authorization: `Bearer ${token}` };
    const response: ServiceResponse = await exchange(service.baseUrl, target, headers);
    target = nextTarget(response);
    const cursor = /cursor=([^&]+)/.exec(target ?? '')?.[1];
    if (cursor !== undefined) found.push(cursor);
  }
  expect(found).not.toEqual([]);
  return found;
};

beforeAll(async () => {
  project = copyProject();
  service = await startService(project);
  started = service.command.output();
  token = /Bearer ([\w.-]+)/.exec(started)?.[1] ?? '';
  project.edit(configuration, 'values = []', `values = ${JSON.stringify(await cursors())}`);
  return async () => {
    await service.stop();
    project.remove();
  };
});

it('npm start satisfies Schemathesis', { timeout: 600_000 }, async ({ task }) => {
  const inCopy = (name: string): string => join(project.folder, name);
  const { succeeded, output } = await runTool(
    schemathesis,
    [
      ...['--config-file', inCopy(configuration), 'run', inCopy('openapi.yaml'), '--no-color'],
      ...['--url', service.baseUrl, '--report', 'json', '--report-json-path', inCopy('report.json')],
    ],
    { cwd: project.folder, env: { ...process.env, PLANT_STORE_TOKEN: token } },
  );
  expect(succeeded, output).toBe(true);
  const { phases, test_cases } = report.parse(JSON.parse(readFileSync(inCopy('report.json'), 'utf8')));
  // Links between list pages, which are the last phase, are the contract's.
  const statuses = ['examples', 'coverage', 'fuzzing'].map((phase) => phases[phase]?.status);
  expect(statuses).toEqual(['success', 'success', 'success']);
  expect(test_cases.generated).toBeGreaterThanOrEqual(300);
  task.meta.cases = test_cases.generated;
});

it('npm start logs only INFO lines and requests with a status below 500, and never the token', () => {
  const lines = service.command.output().slice(started.length).split('\n').filter(Boolean);
  const routes = operations.map(({ route }) => route);
  const places = [...routes, 'no route'].map((place) => RegExp.escape(place)).join('|');
  const aboutRequest = new RegExp(`^(${places}) [1-4]\\d\\d, \\d+ ms$`);
  const requested = new Set(lines.map((line) => aboutRequest.exec(line)?.[1]));
  expect([...requested]).toEqual(expect.arrayContaining(routes));
  expect(
    lines.filter(
      (line) => !(aboutRequest.test(line) || line.includes('"level":"INFO"')) || line.includes(token),
    ),
  ).toEqual([]);
});
