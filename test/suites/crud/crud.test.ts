// The suite `crud` proves: the command of docs/crud.md makes a copy of the project a service with writes,
// without another edit. The copy passes the parts of `npm test`; its templates have everything for each
// operation; `npm start` runs each operation; and suites pass in the copy (suites-in-copy.test.ts). It cannot
// show what only AWS does, such as the deletion of expired records. In a project without examples/crud, all
// tests are skipped, and counted as skipped.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { exchange, type Headers } from '../../../smoke/client.ts';
import { runCommand } from '../../support/service/command.ts';
import type { ProjectCopy } from '../../support/service/project-copy.ts';
import { type LocalService, startService } from '../../support/service/running-service.ts';
import { crudCopy, hasNoOverlay } from './crud-copy.ts';
import { plantWith } from '../../support/table/field-samples.ts';

let copy: ProjectCopy;
const added = ['AddPlant', 'FindPlant', 'ChangePlant', 'DeletePlant'];

const resource = z.looseObject({ Type: z.string() });
type Resources = Readonly<Record<string, z.infer<typeof resource>>>;

const run = async (program: string, parameters: readonly string[], environment = {}): Promise<string> => {
  const { code, output } = await runCommand(program, copy.folder, parameters, environment).ended;
  expect(code, output).toBe(0);
  return output;
};

const resourcesOfProd = (): Resources => {
  const file = join(copy.folder, 'cdk.out/PlantStore-prod.template.json');
  return z.object({ Resources: z.record(z.string(), resource) }).parse(JSON.parse(readFileSync(file, 'utf8')))
    .Resources;
};

describe.skipIf(hasNoOverlay)('a copy to which examples/crud was applied', () => {
  beforeAll(async () => {
    copy = await crudCopy();
  });
  afterAll(() => {
    copy.remove();
  });

  describe('npm run synth', () => {
    let resources: Resources;
    beforeAll(async () => {
      await run('npm', ['run', 'synth']);
      resources = resourcesOfProd();
    });

    /** The resources of a type with a text in their path. */
    const propertiesOf = (type: string, path: string): readonly unknown[] =>
      Object.values(resources)
        .filter(({ Type, Metadata }) => Type === type && JSON.stringify(Metadata ?? '').includes(path))
        .map(({ Properties }) => Properties);

    it.each(added)('makes the same types of resources for %s and its hook as for the list', (id) => {
      const typesOf = (prefix: string): readonly string[] =>
        Object.values(resources)
          .filter(({ Metadata }) => JSON.stringify(Metadata ?? '').includes(`PlantStore-prod/${prefix}/`))
          .map(({ Type }) => Type)
          .toSorted();
      expect(typesOf(id)).toEqual(typesOf('ListPlants'));
      expect(typesOf(`PreTraffic${id}`)).toEqual(typesOf('PreTrafficListPlants'));
      expect(typesOf(id)).toContain('AWS::Lambda::Alias');
      expect(typesOf(`PreTraffic${id}`)).toContain('AWS::Lambda::Function');
    });

    it.each([
      ['AddPlant', ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem']],
      ['FindPlant', ['GetItem']],
      ['ChangePlant', ['GetItem', 'UpdateItem']],
      ['DeletePlant', ['GetItem', 'UpdateItem', 'DeleteItem']],
    ])('allows %s exactly the actions %j on the table', (id, actions) => {
      const policies = propertiesOf('AWS::IAM::Policy', `PlantStore-prod/${id}Role/`);
      expect(policies).toHaveLength(1);
      const named = JSON.stringify(policies).match(/(?<="dynamodb:)\w+/g) ?? [];
      expect(named.toSorted()).toEqual(actions.toSorted());
    });

    it('lets the hook of each operation check a new version as a caller of its own', () => {
      const callers = propertiesOf('AWS::Lambda::Function', 'PlantStore-prod/PreTraffic').map(
        (properties) => /\bpre-traffic-hook-(\w+)/.exec(JSON.stringify(properties))?.[1] ?? '',
      );
      expect(callers).toEqual(expect.arrayContaining(['ListPlants', ...added]));
      expect(new Set(callers).size).toBe(callers.length);
    });

    it('shows each operation on the dashboard', () => {
      const dashboard = JSON.stringify(propertiesOf('AWS::CloudWatch::Dashboard', ''));
      for (const route of ['POST /plants', 'GET /plants/{id}', 'PATCH /plants/{id}', 'DELETE /plants/{id}'])
        expect(dashboard).toContain(`${route}: invocations`);
    });

    it('allows web pages of a stage’s origins each method and header of the operations', async () => {
      const restore = copy.edit(
        'infra/stages.ts',
        '  prod: {',
        "  prod: {\n    corsOrigins: ['https://plants.example.com'],",
      );
      const synth = ['cdk', 'synth', '--quiet', '--strict', '--context', 'stage=prod'];
      await run('bin/run', synth, { CDK_VALIDATION: 'false' });
      restore();
      const api = Object.values(resourcesOfProd()).find(({ Type }) => Type === 'AWS::ApiGatewayV2::Api');
      const { CorsConfiguration: cors } = z
        .object({ CorsConfiguration: z.record(z.string(), z.unknown()) })
        .parse(api?.['Properties']);
      expect(cors['AllowOrigins']).toEqual(['https://plants.example.com']);
      expect(cors['AllowMethods']).toEqual(['DELETE', 'GET', 'PATCH', 'POST']);
      expect(cors['AllowHeaders']).toEqual(
        expect.arrayContaining(['authorization', 'content-type', 'if-match', 'idempotency-key']),
      );
      expect(cors['ExposeHeaders']).toEqual(expect.arrayContaining(['link', 'etag', 'location']));
    });
  });

  describe('npm start', () => {
    let service: LocalService;
    let token: string;
    beforeAll(async () => {
      service = await startService(copy, {}, ['npm', 'start']);
      token = /Bearer ([\w.-]+)/.exec(service.command.output())?.[1] ?? '';
      return service.stop;
    });

    const send = (method: string, target: string, headers: Headers = {}, content?: object) =>
      exchange(
        service.baseUrl,
        target,
        { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        method,
        content && JSON.stringify(content),
      );

    it('adds, finds, lists, changes and deletes a plant', async () => {
      const addedPlant = await send('POST', '/plants', {}, plantWith({ name: 'Quince', tag: 'fruit' }));
      expect(addedPlant).toMatchObject({ status: 201, body: { name: 'Quince', tag: 'fruit' } });
      const { id } = z.looseObject({ id: z.string() }).parse(addedPlant.body);
      const target = `/plants/${id}`;
      const found = await send('GET', target);
      expect(found).toMatchObject({ status: 200, body: addedPlant.body });
      expect((await send('GET', '/plants')).body).toEqual(expect.arrayContaining([addedPlant.body]));

      const condition = { 'if-match': found.headers['etag'] ?? '' };
      const changed = await send('PATCH', target, condition, { tag: null });
      expect([changed.status, changed.body]).toEqual([200, plantWith({ id, name: 'Quince' })]);
      expect((await send('DELETE', target)).status).toBe(204);
      expect(await send('GET', target)).toMatchObject({ status: 404, body: { error: 1005 } });
      expect((await send('GET', '/plants')).body).not.toEqual(
        expect.arrayContaining([expect.objectContaining({ id })]),
      );
    });

    it('passes the smoke test', async () => {
      expect(await run('npm', ['run', 'smoke'], { BASE_URL: service.baseUrl, TOKEN: token })).toMatch(
        /passes all checks/,
      );
    });
  });

  it.each(['check:types', 'check:page', 'check:lint', 'check:format'])(
    'passes npm run %s',
    async (script) => {
      await run('npm', ['run', script]);
    },
  );

  it('passes npm run test:run', { timeout: 600_000 }, async () => {
    await run('npm', ['run', 'test:run']);
  });
});
