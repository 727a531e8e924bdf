// The suite `requests` proves: the response to any request, even one that is not valid HTTP, is as
// `openapi.yaml` describes and never 5xx. It cannot show how AWS answers what is not HTTP.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { type ServiceResponse, send } from '../../contract/client.ts';
import { expectDescribed } from '../../contract/description.ts';
import { plantsIn } from '../../contract/plants.ts';
import {
  copyProject,
  type LocalService,
  type ProjectCopy,
  startService,
} from '../../support/service/local-service.ts';
import { exchange, parseResponses, type RawResponse } from '../../support/raw-http.ts';
import { brokenRequest, halfRequest, oddRequests } from './raw-requests.ts';
import { runTool } from '../tool.ts';

const schemathesis = z.string().parse(process.env['SCHEMATHESIS_COMMAND']);

const fileHere = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/**
 * The interface description, with the next page as an OpenAPI link.
 * `openapi.yaml` has none, because only Schemathesis can use a part of a header.
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

  const list = (target: string): Promise<ServiceResponse> =>
    send(service.baseUrl, target, { authorization: `Bearer ${token}` });

  const expectAlive = async (): Promise<void> => {
    expect(plantsIn(await list('/plants?limit=1'))).toMatchObject([{ name: 'Aloe vera' }]);
  };

  /** Checks a response against openapi.yaml. Node's own response to what is not HTTP has no body. */
  const expectProper = ({ status, headers, body }: RawResponse): void => {
    expect(status).toBeLessThan(500);
    if (body !== undefined) expectDescribed('GET /plants', status, headers, body);
  };

  /** A time limit below vitest's own, whose message would lack the seed. */
  const inTime = { interruptAfterTimeLimit: 100_000, markInterruptAsFailure: true } as const;

  const last = 'GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

  it('responds to unusual requests as described, and pipelined ones in order', async ({ task }) => {
    const numRuns = 1000;
    let cases = 0;
    const plants = plantsIn(await list('/plants')).length;
    await fc.assert(
      fc.asyncProperty(oddRequests, async (requests) => {
        const isClosed = requests.some(({ closes }) => closes);
        const responses = parseResponses(
          await exchange(
            service.baseUrl,
            withToken([...requests.map(({ text }) => text), ...(isClosed ? [] : [last])].join('')),
          ),
          requests.map(({ method }) => method),
        );
        expect(responses).toHaveLength(requests.length + (isClosed ? 0 : 1));
        for (const [index, { statuses, limit }] of requests.entries()) {
          const response = responses[index];
          expect(statuses).toContain(response?.status);
          if (response === undefined) continue;
          expectProper(response);
          if (response.status === 200 && limit !== undefined) {
            expect(response.body).toHaveLength(Math.min(limit, plants));
          }
        }
        cases += requests.length;
      }),
      { numRuns, ...inTime },
    );
    await expectAlive();
    // Connections stayed open after the first request.
    expect(cases).toBeGreaterThan(numRuns);
    task.meta.cases = cases;
  });

  it('responds to invalid HTTP as described, and continues to work', async ({ task }) => {
    const numRuns = 1000;
    await fc.assert(
      fc.asyncProperty(brokenRequest, async (text) => {
        const responses = parseResponses(await exchange(service.baseUrl, withToken(text), true));
        responses.forEach(expectProper);
        await expectAlive();
      }),
      { numRuns, ...inTime },
    );
    task.meta.cases = numRuns;
  });

  it('continues to work after callers who disconnect in the middle of a request', async ({ task }) => {
    const numRuns = 300;
    await fc.assert(
      fc.asyncProperty(halfRequest, async (text) => {
        parseResponses(await exchange(service.baseUrl, withToken(text), true)).forEach(expectProper);
        await expectAlive();
      }),
      { numRuns, ...inTime },
    );
    task.meta.cases = numRuns;
  });

  it('prints no error and no token meanwhile', () => {
    const lines = service.command.output().slice(printed.length).split('\n').filter(Boolean);
    // A line about a request has no status from 500 on, and no control characters.
    const aboutRequest = /^[A-Z-]+ [\x20-\x7e]* [1-4]\d\d(?:, [\x20-\x7e]+)*$/;
    expect(lines).not.toEqual([]);
    expect(
      lines.filter(
        (line) => !(aboutRequest.test(line) || line.includes('"level":"INFO"')) || line.includes(token),
      ),
    ).toEqual([]);
  });
});
