import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { parseListRequest } from '../../../functions/list-plants/http/list-request.ts';
import { fieldsOf } from '../../../functions/pre-traffic-hook/invocation.ts';
import type { HookEvent } from '../../../functions/pre-traffic-hook/run-hook.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';
import { partsOf, textOf } from '../../support/tokens.ts';

describe('the hook on Lambda', () => {
  let requests: { readonly url: string; readonly scope: string; readonly body: string }[] = [];
  const aws = createServer((request, response) => {
    void text(request).then((body) => {
      const { url = '', headers } = request;
      const [, scope = ''] = /Credential=AKIDEXAMPLE\/\d{8}\/([^,]*)/.exec(headers.authorization ?? '') ?? [];
      requests.push({ url, scope, body });
      response.end('{}');
    });
  });
  let endpoint: string;
  beforeAll(async () => {
    endpoint = await startServer(aws);
  });
  afterAll(() => stopServer(aws));

  const load = async (): Promise<(event: HookEvent) => Promise<void>> =>
    (await import('../../../functions/pre-traffic-hook/handler.ts')).handler;

  const refusals = (): readonly unknown[] =>
    vi.mocked(console.error).mock.calls.map(([entry]): unknown => entry);

  beforeEach(() => {
    requests = [];
    // The module reads the environment when it is loaded.
    vi.resetModules();
    vi.spyOn(console, 'error').mockReturnValue();
    const environment = {
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_ENDPOINT_URL_LAMBDA: endpoint,
      AWS_ENDPOINT_URL_CODEDEPLOY: endpoint,
      TESTED_FUNCTION: 'Tested',
      TESTED_VERSION: '7',
    };
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  /** Runs the hook, which both times gets an empty object for a response, and returns the event that it invoked with. */
  const invokedWith = async (algorithms: string | undefined): Promise<unknown> => {
    vi.stubEnv('TOKEN_ALGORITHMS', algorithms);
    const handler = await load();
    await handler({ DeploymentId: 'd-EXAMPLE', LifecycleEventHookExecutionId: 'execution' });
    expect(requests).toMatchObject([
      {
        url: '/2015-03-31/functions/Tested/invocations?Qualifier=7',
        scope: 'eu-central-1/lambda/aws4_request',
      },
      { url: '/', scope: 'eu-central-1/codedeploy/aws4_request' },
    ]);
    const [event, report] = requests.map(({ body }): unknown => JSON.parse(body));
    expect(report).toMatchObject({ deploymentId: 'd-EXAMPLE', status: 'Failed' });
    return event;
  };

  it('invokes the tested version of the authorizer with the first algorithm, and reports that it failed', async () => {
    const event = z
      .object({ identitySource: z.tuple([z.string().startsWith('Bearer ')]) })
      .parse(await invokedWith('ES256,RS256'));
    const [header] = partsOf(event.identitySource[0].replace('Bearer ', ''));
    expect(JSON.parse(textOf(header))).toMatchObject({ alg: 'ES256' });
    expect(refusals()).toMatchObject([{ event: 'version-refused', problem: 'not-denied' }]);
  });

  it.each([undefined, ''])(
    'invokes the tested version of the list function with a caller, when the algorithms are %j',
    async (algorithms) => {
      const event = await invokedWith(algorithms);
      expect(event).toMatchObject({ requestContext: { authorizer: { lambda: { groups: [] } } } });
      expect(parseListRequest(fieldsOf(event), Date.now()).principals).toHaveLength(1);
      expect(refusals()).toMatchObject([{ event: 'version-refused', problem: 'not-an-empty-list' }]);
    },
  );
});
