// The suite `requests` proves: the response to any HTTP request, however unusual, is as `openapi.yaml`
// describes and never 5xx. It cannot show how AWS responds to unusual requests.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { send } from '../../contract/client.ts';
import { expectDescribed } from '../../contract/description.ts';
import { plantsIn } from '../../contract/plants.ts';
import {
  copyProject,
  type LocalService,
  type ProjectCopy,
  startService,
} from '../../support/service/local-service.ts';
import { parseResponses, type RawResponse, sendRaw } from '../../support/raw-http.ts';
import { halfRequest, unusualRequest } from './raw-requests.ts';
import { runTool } from '../tool.ts';

const schemathesis = z.string().parse(process.env['SCHEMATHESIS_COMMAND']);

const fileHere = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/**
 * The interface description, with the rest of a list as an OpenAPI link.
 * `openapi.yaml` has none: `#regex`, for a part of a header, is an extension of Schemathesis.
 */
const descriptionWithLinks = (): string => {
  const description = parseDocument(readFileSync(fileHere('../../../openapi.yaml'), 'utf8'));
  const next = {
    operationId: 'listPlants',
    parameters: {
      limit: '$request.query.limit',
      cursor: '$response.header.Link#regex:cursor=([A-Za-z0-9_-]+)>',
    },
  };
  description.setIn(
    ['paths', '/plants', 'get', 'responses', '200', 'links'],
    description.createNode({ next }),
  );
  return description.toString();
};

const schemathesisReport = z.object({
  phases: z.record(z.string(), z.object({ status: z.string() })),
  test_cases: z.object({ generated: z.number() }),
});

describe('npm start, with random requests', () => {
  let project: ProjectCopy;
  let service: LocalService;
  let token: string;
  let printed: string;
  beforeAll(async () => {
    project = copyProject();
    service = await startService(project);
    printed = service.command.output();
    token = /Bearer ([\w.-]+)/.exec(printed)?.[1] ?? '';
    return async () => {
      await service.stop();
      project.remove();
    };
  });

  it('satisfies Schemathesis in every phase', { timeout: 600_000 }, async ({ task }) => {
    const inCopy = (name: string): string => join(project.folder, name);
    writeFileSync(inCopy('openapi.yaml'), descriptionWithLinks());
    const { succeeded, output } = await runTool(
      schemathesis,
      [
        ...['--config-file', fileHere('schemathesis.toml'), 'run', inCopy('openapi.yaml'), '--no-color'],
        ...['--url', service.baseUrl, '--report', 'json', '--report-json-path', inCopy('report.json')],
      ],
      { cwd: project.folder, env: { ...process.env, PLANT_STORE_TOKEN: token } },
    );
    expect(succeeded, output).toBe(true);
    const report = schemathesisReport.parse(JSON.parse(readFileSync(inCopy('report.json'), 'utf8')));
    expect(Object.entries(report.phases).map(([phase, { status }]) => [phase, status])).toEqual(
      ['examples', 'coverage', 'fuzzing', 'stateful'].map((phase) => [phase, 'success']),
    );
    expect(report.test_cases.generated).toBeGreaterThanOrEqual(600);
    task.meta.cases = report.test_cases.generated;
  });

  const withToken = (text: string): string => text.replaceAll('{token}', token);

  const expectAlive = async (): Promise<void> => {
    const response = await send(service.baseUrl, '/plants?limit=1', { authorization: `Bearer ${token}` });
    expect(plantsIn(response)).toMatchObject([{ name: 'Aloe vera' }]);
  };

  /** Checks a response against openapi.yaml. Node's own response to invalid HTTP has no body. */
  const expectProper = ({ status, headers, body }: RawResponse): void => {
    expect(status).toBeLessThan(500);
    if (body !== undefined) expectDescribed('GET /plants', status, headers, body);
  };

  /** A time limit below vitest's own, whose message would lack the seed. */
  const inTime = { interruptAfterTimeLimit: 100_000, markInterruptAsFailure: true } as const;

  const statuses = new Set<number>();

  it.for([
    ['unusual requests', unusualRequest, 1000, false],
    ['callers who disconnect in the middle of a request', halfRequest, 300, true],
  ] as const)(
    'responds to %s as described, and continues to work',
    async ([, request, numRuns, halfClose], { task }) => {
      task.meta.cases = numRuns;
      await fc.assert(
        fc.asyncProperty(request, async (text) => {
          const responses = parseResponses(await sendRaw(service.baseUrl, withToken(text), halfClose));
          responses.forEach(expectProper);
          for (const { status } of responses) statuses.add(status);
          await expectAlive();
        }),
        { numRuns, ...inTime },
      );
    },
  );

  it('sends each of the statuses 200, 400, 401, 403, 404 and 431', () => {
    expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 400, 401, 403, 404, 431]));
  });

  it('logs only INFO lines and requests with a status below 500, and never the token', () => {
    const lines = service.command.output().slice(printed.length).split('\n').filter(Boolean);
    // A line about a request has no status from 500 on, and no control characters.
    const aboutRequest = /^[A-Z-]+ [\x20-\x7e]* [1-4]\d\d(?:, [\x20-\x7e]+)*$/;
    for (const cache of ['miss', 'hit'])
      expect(lines).toContainEqual(expect.stringMatching(`^GET /plants 200, .*, authorizer ${cache}$`));
    expect(
      lines.filter(
        (line) => !(aboutRequest.test(line) || line.includes('"level":"INFO"')) || line.includes(token),
      ),
    ).toEqual([]);
  });
});
