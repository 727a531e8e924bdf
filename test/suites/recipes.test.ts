// The suite `recipes` proves: the documents that say how to add a field, a route and a write are complete.
// Applied to a copy of the project, word for word and one after the other, they change as few files as they
// say, and the copy works. A recipe that the project has already is not applied again.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { embeddedStore } from '../../local/store/embedded-store.ts';
import { exchange, type Headers, type ServiceResponse } from '../../smoke/client.ts';
import { item } from '../support/table/plants.ts';
import { apiGateway, type Target } from '../contract/target.ts';
import {
  type FakeServer,
  forward,
  type ReceivedRequest,
  type Reply,
  startFakeServer,
} from '../support/fake-server.ts';
import { startServer } from '../support/loopback-server.ts';
import { targetOf } from './npm-start-target.ts';
import { applyRecipe, filesCreatedBy, recipeIn, recipesLeft } from './recipe.ts';
import { runCommand } from '../support/service/command.ts';
import { copyProject } from '../support/service/project-copy.ts';
import { startService } from '../support/service/running-service.ts';
import { runTool } from './run-tool.ts';

const { folder, remove } = copyProject();
afterAll(remove);

const git = async (...parameters: readonly string[]): Promise<readonly string[]> => {
  const { succeeded, output } = await runTool('git', parameters, { cwd: folder });
  expect(succeeded, output).toBe(true);
  return output.split('\0').filter((file) => file !== '');
};

beforeAll(async () => {
  await git('init', '--quiet');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Copy the project');
});

describe.each(recipesLeft(folder))('$page', ({ page, section, changed, existing }) => {
  const text = recipeIn(folder, { page, section });

  it('applies to the copy', () => {
    applyRecipe(text, folder);
  });

  it('changes few files, and names each of them', async () => {
    await git('add', '--all');
    const files = await git('diff', '--cached', '--name-only', '-z');
    await git('commit', '--quiet', '--message', `Apply ${page}`);
    const counted = files.filter((file) => !/\bsnapshots\//.test(file));
    expect(counted.filter((file) => !text.includes(`\`${file}\``))).toEqual([]);
    expect(counted.length, counted.join('\n')).toBeLessThanOrEqual(changed);
    const created = filesCreatedBy(text);
    const product = /^(?:functions|infra|table|local|cli)\//;
    const edited = counted.filter((file) => product.test(file) && !created.includes(file));
    expect(edited.length, edited.join('\n')).toBeLessThanOrEqual(existing);
  });
});

const isPut = ({ headers }: ReceivedRequest): boolean =>
  headers['x-amz-target'] === 'DynamoDB_20120810.PutItem';

describe('the copy with all recipes', () => {
  it('has no recipe left to apply', () => {
    expect(recipesLeft(folder)).toEqual([]);
  });

  it('synthesizes the same types of resources for the new operations as for the list', async () => {
    // The suite `processes` runs CDK's default rules, which take most of a synthesis.
    const synth = ['cdk', 'synth', '--quiet', '--strict', '--context', 'stage=prod'];
    const { code, output } = await runCommand('bin/run', folder, synth, { CDK_VALIDATION: 'false' }).ended;
    expect(code, output).toBe(0);
    const file = join(folder, 'cdk.out/PlantStore-prod.template.json');
    const { Resources } = z
      .object({ Resources: z.record(z.string(), z.looseObject({ Type: z.string() })) })
      .parse(JSON.parse(readFileSync(file, 'utf8')));
    const typesOf = (id: string): readonly string[] =>
      Object.values(Resources)
        .filter(({ Metadata }) => JSON.stringify(Metadata ?? '').includes(`PlantStore-prod/${id}/`))
        .map(({ Type }) => Type)
        .toSorted();
    for (const prefix of ['', 'PreTraffic'])
      for (const id of ['FindPlants', 'AddPlant'])
        expect(typesOf(`${prefix}${id}`)).toEqual(typesOf(`${prefix}ListPlants`));
    expect(typesOf('FindPlants')).toEqual(
      expect.arrayContaining(
        ['Lambda::Function', 'Lambda::Alias', 'IAM::Role', 'Logs::MetricFilter'].map(
          (type) => `AWS::${type}`,
        ),
      ),
    );
    expect(typesOf('PreTrafficFindPlants')).toContain('AWS::Lambda::Function');
    const dashboards = Object.values(Resources).filter(({ Type }) => Type === 'AWS::CloudWatch::Dashboard');
    for (const route of ['GET /plants/{name}', 'POST /plants'])
      expect(JSON.stringify(dashboards)).toContain(`${route}: invocations`);
  });

  describe('with npm start', () => {
    let service: Target;
    let token: string;
    let store: string;
    /** In front of the store. */
    let proxy: FakeServer;
    const puts: number[] = [];
    const toStore = async (request: ReceivedRequest): Promise<Reply> => {
      const reply = await forward(store, request);
      if (isPut(request)) puts.push(reply.status);
      return reply;
    };
    beforeAll(async () => {
      store = await startServer(embeddedStore());
      proxy = await startFakeServer(toStore);
      const started = await startService({ folder }, { AWS_ENDPOINT_URL_DYNAMODB: proxy.url });
      service = targetOf(started, apiGateway, () => undefined);
      token = /Bearer ([\w.-]+)/.exec(started.command.output())?.[1] ?? '';
      await service.put([item('user#alice', 'Grün', '1', 'green'), item('user#alice', 'Grün', '2')]);
      await service.put([item('user#alice', 'Blue rose', '3', 'blue')]);
      return async () => {
        await service.stop();
        await proxy.close();
      };
    });

    it.each([
      ['/plants/Gr%C3%BCn', 200, [{ name: 'Grün', tag: 'green' }, { name: 'Grün' }]],
      ['/plants/Blue%20rose', 200, [{ name: 'Blue rose', tag: 'blue' }]],
      ['/plants/blue%20rose', 404, { error: 1005 }],
      ['/plants/Blue%2Frose', 404, { message: 'Not Found' }],
    ])('responds to GET %s with %i', async (path, status, body) => {
      const response = await exchange(service.baseUrl, path, { authorization: `Bearer ${token}` });
      expect(response).toMatchObject({ status, body });
    });

    it('writes nothing before the first request', () => {
      // The condition is false.
      expect(puts).toEqual([400]);
    });

    const plants = (headers: Headers, content?: string): Promise<ServiceResponse> => {
      const method = content === undefined ? 'GET' : 'POST';
      return exchange(service.baseUrl, '/plants', headers, method, content);
    };
    /** A caller without plants, who sends a key. */
    const newCaller = (): Headers => {
      const newToken = service.issuer.token({ claims: { sub: crypto.randomUUID() } });
      return { authorization: `Bearer ${newToken}`, 'idempotency-key': 'a-key' };
    };
    const rose = { name: 'Rose', tag: 'red' };
    const body = JSON.stringify(rose);
    const added = { status: 201, body: rose };

    it('adds a plant once, when it is sent once, again, twice at once, or refused', async () => {
      const caller = newCaller();
      puts.length = 0;
      expect(await plants(caller, body)).toMatchObject(added);
      expect((await plants(caller)).body).toEqual([rose]);
      expect(await plants(caller, body)).toMatchObject(added);
      for (const [error, content, headers] of [
        [1006, 'Rose', caller],
        [1006, JSON.stringify({ name: 'x'.repeat(64_000) }), caller],
        [1007, '{"name":"Rose\\u0000"}', caller],
        [1007, '{"name":"Rose","tag":1}', caller],
        [1008, body, { ...caller, 'idempotency-key': 'ä' }],
      ] as const) {
        expect(await plants(headers, content)).toMatchObject({ status: 400, body: { error } });
      }
      for (const response of await Promise.all([plants(caller, body), plants(caller, body)]))
        expect(response).toMatchObject(added);
      expect((await plants(caller)).body).toEqual([rose]);
      // The condition of the others is false, so they overwrite nothing.
      expect(puts).toEqual([200, 400, 400, 400]);
    });

    const respondWith = (status: number, type: string) => (): Promise<Reply> =>
      Promise.resolve({ status, headers: {}, body: Buffer.from(JSON.stringify({ __type: type })) });
    it.each<[failure: string, (request: ReceivedRequest) => Promise<Reply>]>([
      ['throttles', respondWith(400, 'com.amazonaws.dynamodb.v20120810#ThrottlingException')],
      ['fails', respondWith(500, 'InternalServerError')],
      [
        'writes, but its responses are lost',
        (request) => toStore(request).then(() => Promise.reject(new Error())),
      ],
      ['does not respond', () => new Promise(() => undefined)],
    ])(
      'responds with error 2001 while the store %s, and adds the plant once when it is sent again',
      async (_, fail) => {
        const caller = newCaller();
        proxy.respond((request) => (isPut(request) ? fail(request) : toStore(request)));
        const response = await plants(caller, body);
        expect(response).toMatchObject({
          status: 400,
          headers: { 'retry-after': '1' },
          body: { error: 2001 },
        });
        proxy.respond(toStore);
        expect(await plants(caller, body)).toMatchObject(added);
        expect((await plants(caller)).body).toEqual([rose]);
      },
    );

    it('passes the smoke test', async () => {
      const environment = { BASE_URL: service.baseUrl, TOKEN: token };
      const { code, output } = await runCommand('npm', folder, ['run', 'smoke'], environment).ended;
      expect(code, output).toBe(0);
    });
  });
});
