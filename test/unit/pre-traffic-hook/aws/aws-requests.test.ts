import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { sign } from 'aws4';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { awsClient } from '../../../../functions/pre-traffic-hook/aws/aws-client.ts';
import { invokeVersion } from '../../../../functions/pre-traffic-hook/aws/invoke-version.ts';
import { reportStatus } from '../../../../functions/pre-traffic-hook/aws/report-status.ts';
import { startServer, stopServer } from '../../../support/loopback-server.ts';

interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', sessionToken: 'session' };
const retries = { attempts: 3, pause: 1, timeout: 10_000 };
const send = awsClient({ region: 'eu-central-1', credentials, retries });

describe('the hook’s requests to AWS', () => {
  let requests: { url?: string | undefined; headers: IncomingHttpHeaders; body: string }[];
  /** The last one is repeated. */
  let replies: Reply[];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push({ url: request.url, headers: request.headers, body });
      const {
        status = 200,
        headers = {},
        body: reply = '{}',
      } = replies[requests.length - 1] ?? replies.at(-1) ?? {};
      response.writeHead(status, headers).end(reply);
    });
  });
  let endpoint: string;
  beforeAll(async () => {
    endpoint = await startServer(server);
  });
  afterAll(() => stopServer(server));
  beforeEach(() => {
    requests = [];
    replies = [];
  });

  const invoke = (): ReturnType<ReturnType<typeof invokeVersion>> =>
    invokeVersion(send, { endpoint, functionName: 'Stack-Authorizer-1', version: '7' })({ a: 1 });

  it('invoke one version, and read its result and log', async () => {
    const entry = { event: 'denied' };
    const lines = ['"cut off', JSON.stringify({ level: 'INFO', message: entry }), 'null'];
    replies = [
      {
        body: '{"isAuthorized":false}',
        headers: { 'X-Amz-Log-Result': Buffer.from(lines.join('\n')).toString('base64') },
      },
    ];
    expect(await invoke()).toEqual({
      error: undefined,
      result: { isAuthorized: false },
      entries: [undefined, entry, undefined],
    });
    expect(requests).toMatchObject([
      {
        url: '/2015-03-31/functions/Stack-Authorizer-1/invocations?Qualifier=7',
        headers: {
          'content-type': 'application/json',
          'x-amz-log-type': 'Tail',
          'x-amz-security-token': 'session',
        },
        body: '{"a":1}',
      },
    ]);
    const [{ url: path = '', headers, body } = { headers: {}, body: '' }] = requests;
    const { authorization = '' } = headers;
    expect(authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/lambda\/aws4_request,/,
    );
    const names = /SignedHeaders=([^,]*)/.exec(authorization)?.[1]?.split(';') ?? [];
    const received = Object.fromEntries(names.map((name) => [name, headers[name]]));
    const request = {
      service: 'lambda',
      region: 'eu-central-1',
      method: 'POST',
      path,
      headers: received,
      body,
    };
    expect(sign(request, credentials).headers?.['Authorization']).toBe(authorization);
  });

  it.each([
    ['{"errorType":"TypeError"}', 'TypeError'],
    ['{"errorType":1}', 'Unhandled'],
    ['null', 'Unhandled'],
  ])('name the error of a version that failed with %s', async (body, error) => {
    replies = [{ body, headers: { 'X-Amz-Function-Error': 'Unhandled' } }];
    expect(await invoke()).toMatchObject({ error });
    expect(requests).toHaveLength(1);
  });

  it('take a field of a result for no error when the version did not fail', async () => {
    replies = [{ body: '{"errorType":"TypeError"}' }];
    expect(await invoke()).toMatchObject({ error: undefined });
  });

  it('tell CodeDeploy the status', async () => {
    await reportStatus(send, endpoint)(
      { DeploymentId: 'd-EXAMPLE', LifecycleEventHookExecutionId: 'execution' },
      'Failed',
    );
    const [{ url, headers, body } = { url: '', headers: {}, body: '{}' }] = requests;
    expect(url).toBe('/');
    expect(headers).toMatchObject({
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'CodeDeploy_20141006.PutLifecycleEventHookExecutionStatus',
    });
    expect(headers.authorization).toContain('/codedeploy/aws4_request');
    expect(JSON.parse(body)).toEqual({
      deploymentId: 'd-EXAMPLE',
      lifecycleEventHookExecutionId: 'execution',
      status: 'Failed',
    });
  });

  it('are repeated when AWS refuses them, as a right may not be in effect yet', async () => {
    replies = [{ status: 403 }, { status: 500 }, {}];
    expect(await invoke()).toMatchObject({ result: {} });
    expect(requests).toHaveLength(3);
  });

  it.each([
    [{ 'x-amzn-errortype': 'AccessDeniedException:http://internal.example.com/' }, 'AccessDeniedException'],
    [{}, '403'],
  ])('fail with the name of the last error, after %j', async (headers, code) => {
    replies = [{ status: 403, headers }];
    await expect(invoke()).rejects.toMatchObject({ name: 'AwsError', code });
    expect(requests).toHaveLength(3);
  });
});
