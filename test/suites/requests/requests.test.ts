// The suite `requests` proves: the responses to valid and invalid requests that Schemathesis generates from
// `openapi.yaml` are as `openapi.yaml` describes and never 5xx, and no token is logged. It cannot show how
// AWS responds to unusual requests, and it sends no invalid HTTP.
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
/** The output of npm start before the first request. */
let outputOfStart: string;

/** The cursors in the Link headers of all list pages. */
const cursorsOfLinks = async (): Promise<readonly string[]> => {
  const cursors: string[] = [];
  let target: string | undefined = '/plants?limit=1';
  while (target !== undefined) {
    const headers = { authorization: `Bearer ${token}` };
    const response: ServiceResponse = await exchange(service.baseUrl, target, headers);
    target = nextTarget(response);
    const cursor = /cursor=([^&]+)/.exec(target ?? '')?.[1];
    if (cursor !== undefined) cursors.push(cursor);
  }
  expect(cursors).not.toEqual([]);
  return cursors;
};

beforeAll(async () => {
  project = copyProject();
  service = await startService(project);
  outputOfStart = service.command.output();
  token = /Bearer ([\w.-]+)/.exec(outputOfStart)?.[1] ?? '';
  project.edit(configuration, 'values = []', `values = ${JSON.stringify(await cursorsOfLinks())}`);
  return async () => {
    await service.stop();
    project.remove();
  };
});

it(
  'the responses of npm start to 300 or more generated requests match openapi.yaml',
  { timeout: 600_000 },
  async ({ task }) => {
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
    // The phase `stateful`, which follows links between list pages, is off, because the contract tests the
    // links.
    const statuses = ['examples', 'coverage', 'fuzzing'].map((phase) => phases[phase]?.status);
    expect(statuses).toEqual(['success', 'success', 'success']);
    expect(test_cases.generated).toBeGreaterThanOrEqual(300);
    task.meta.cases = test_cases.generated;
  },
);

it('npm start logs only INFO lines and requests with a status below 500, and never the token', () => {
  const lines = service.command.output().slice(outputOfStart.length).split('\n').filter(Boolean);
  const routes = operations.map(({ route }) => route);
  const places = [...routes, 'no route'].map((place) => RegExp.escape(place)).join('|');
  /** The line that npm start prints about a request. */
  const requestLine = new RegExp(`^(${places}) [1-4]\\d\\d, \\d+ ms$`);
  const requestedRoutes = new Set(lines.map((line) => requestLine.exec(line)?.[1]));
  expect([...requestedRoutes]).toEqual(expect.arrayContaining(routes));
  expect(
    lines.filter(
      (line) => !(requestLine.test(line) || line.includes('"level":"INFO"')) || line.includes(token),
    ),
  ).toEqual([]);
});
