import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readKey } from '../../local/issuer/issuer.ts';
import { callerIdOf } from '../../functions/authorizer/authorize.ts';
import { localStackId } from '../../local/service-file.ts';
import { type ServiceResponse, send } from '../contract/client.ts';
import { type Issuer, issuerOf } from '../support/issuer.ts';
import { copyProject, type LocalService, startService } from '../support/local-service.ts';
import { rsaKeyFrom } from '../support/tokens.ts';

const project = copyProject();
let service: LocalService;
let issuer: Issuer;
beforeAll(async () => {
  service = await startService(project, { ACCESS_LOG: 'json' });
  issuer = issuerOf(rsaKeyFrom(readKey(service.keyFile)), service.issuer, service.audience);
});
afterAll(async () => {
  await service.stop();
  project.remove();
});

const entrySchema = z.record(z.string(), z.string());
const lineSchema = z.object({ requestId: z.string(), message: z.looseObject({ event: z.string() }) });

/** The JSON lines that `npm start` has printed about a request: its access log entry, and the functions' lines. */
const found = <Line>(schema: z.ZodType<Line>, isWanted: (line: Line) => boolean): readonly Line[] =>
  service.command
    .output()
    .split('\n')
    .flatMap((text) => {
      if (!text.startsWith('{')) return [];
      const { data } = schema.safeParse(JSON.parse(text));
      return data !== undefined && isWanted(data) ? [data] : [];
    });

const entryOf = async ({ headers }: ServiceResponse): Promise<Readonly<Record<string, string>>> => {
  const entries = () => found(entrySchema, ({ requestId }) => requestId === headers['apigw-requestid']);
  await expect.poll(entries).toHaveLength(1);
  return entries()[0] ?? {};
};

const ask = (target: string, claims: Readonly<Record<string, unknown>>): Promise<ServiceResponse> =>
  send(service.baseUrl, target, { authorization: `Bearer ${issuer.token({ claims })}` });

describe('npm start with ACCESS_LOG=json', () => {
  it('writes an entry for each request, in the format of the synthesized template', async () => {
    const template = z
      .object({
        Resources: z.record(z.string(), z.looseObject({ Type: z.string(), Properties: z.unknown() })),
      })
      .parse(
        JSON.parse(readFileSync(join(project.folder, 'cdk.out/PlantStore-local.template.json'), 'utf8')),
      );
    const stage = Object.values(template.Resources).find(({ Type }) => Type === 'AWS::ApiGatewayV2::Stage');
    const { Format } = z
      .object({ AccessLogSettings: z.object({ Format: z.string() }) })
      .parse(stage?.Properties).AccessLogSettings;
    const entry = await entryOf(await ask('/plants', { sub: 'alice' }));
    expect(Object.keys(entry)).toEqual(Object.keys(entrySchema.parse(JSON.parse(Format))));
    expect(entry).toMatchObject({
      route: 'GET /plants',
      status: '200',
      integrationStatus: '200',
      integrationError: '-',
      authorizerError: '-',
      callerId: callerIdOf(localStackId, service.issuer, 'alice'),
    });
  });

  it('leads from the id that the caller has to the line of the list function', async () => {
    const { integrationRequestId } = await entryOf(await ask('/plants?limit=x', { sub: 'alice' }));
    await expect
      .poll(() => found(lineSchema, ({ requestId }) => requestId === integrationRequestId))
      .toMatchObject([{ message: { event: 'request-failed', error: 1001 } }]);
  });

  it('leads from the id that the caller has to the line of the authorizer', async () => {
    const response = await ask('/plants', { sub: 'alice', aud: 'others' });
    expect(await entryOf(response)).toMatchObject({
      status: '403',
      integrationRequestId: '-',
      callerId: '-',
    });
    await expect
      .poll(() =>
        found(
          lineSchema,
          ({ message }) => message['gatewayRequestId'] === response.headers['apigw-requestid'],
        ),
      )
      .toMatchObject([{ message: { event: 'denied', reason: 'audience' } }]);
  });
});
