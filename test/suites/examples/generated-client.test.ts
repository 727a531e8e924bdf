// The suite `examples` also proves: the client that docs/clients.md generates from `openapi.yaml` lists
// plants, reports failures, and keeps working when a release adds a field or an error value. It cannot show
// other generators, or other versions of this one.
import { writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { catalogue } from '../../../functions/list-plants/errors.ts';
import type { CatalogueEntry } from '../../../functions/shared/errors.ts';
import { send } from '../../contract/client.ts';
import { item, type Plant, plantsIn } from '../../contract/plants.ts';
import { readDocument, sectionsOf, shellBlocks } from '../../support/markdown.ts';
import { type ResponseChange, withAltered } from '../altered-service.ts';
import { copyProject, type LocalService, startService } from '../../support/service/local-service.ts';
import { dynamoDbTable } from '../../support/table/dynamodb-table.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runTool } from '../tool.ts';

/** Finds the generator first, and its Python, which has the packages that the client imports. */
const generator = z.string().parse(process.env['OPENAPI_PYTHON_CLIENT_COMMAND']);
const PATH = [dirname(generator), process.env['PATH']].join(delimiter);
const program = fileURLToPath(new URL('generated_client.py', import.meta.url));
const folder = temporaryFolder();

/** Runs a command, by default beside the client. @returns its standard output */
const run = async (
  command: string,
  settings: Readonly<Record<string, string>> = {},
  cwd = folder,
): Promise<string> => {
  const env = { ...process.env, PATH, ...settings };
  const { succeeded, stdout, output } = await runTool('sh', ['-c', command], { cwd, env });
  expect(succeeded, output).toBe(true);
  return stdout;
};

let service: LocalService;
let token: string;
let plants: readonly Plant[];
beforeAll(async () => {
  writeFileSync(join(folder, 'openapi.yaml'), readDocument('openapi.yaml'));
  const section = new Map(sectionsOf(readDocument('docs/clients.md'), 2)).get('A generated client') ?? '';
  const [command = ''] = shellBlocks(section);
  await run(command);
  const project = copyProject();
  service = await startService(project);
  const table = dynamoDbTable(service.storeEndpoint, service.tableName);
  const named = Array.from({ length: 12 }, (_, index) => item('user#client', 'x'.repeat(index + 1), '1'));
  await table.put([item('user#client', 'Été', '1', 'été'), item('user#client', '竹', '1'), ...named]);
  table.close();
  token = (await run('npm run -s token -- client', {}, project.folder)).trim();
  plants = plantsIn(await send(service.baseUrl, '/plants', { authorization: `Bearer ${token}` }));
  return async () => {
    await service.stop();
    project.remove();
  };
});

/** What the program prints. */
const list = async (limit = '', settings: Readonly<Record<string, string>> = {}): Promise<unknown> => {
  const environment = {
    ...{ PYTHONPATH: 'plant-store-service-client', BASE_URL: service.baseUrl, TOKEN: token },
    ...settings,
  };
  return JSON.parse(await run(`python ${program} ${limit}`, environment));
};
const listAltered = (response: ResponseChange): Promise<unknown> =>
  withAltered(service.baseUrl, { response }, (baseUrl) => list('', { BASE_URL: baseUrl }));

const failureOf = ({ statusCode: status, ...body }: CatalogueEntry): object => ({ status, ...body });

describe('the generated client', () => {
  it('lists all plants with their names and tags', async () => {
    expect(await list()).toEqual({ pages: [plants] });
    expect(plants).toContainEqual({ name: 'Été', tag: 'été' });
    expect(plants).toContainEqual({ name: '竹' });
  });

  it('follows the links between three list pages', async () => {
    const pages = [0, 5, 10].map((start) => plants.slice(start, start + 5));
    expect(await list('5')).toEqual({ pages });
    expect(pages.at(-1)).toHaveLength(4);
  });

  it('reports the failure of a request without a token', async () => {
    expect(await list('', { TOKEN: '' })).toEqual({ status: 401, message: 'Unauthorized' });
  });

  it.each<[string, CatalogueEntry]>([
    ['an error', catalogue.invalidLimit],
    ['an error value that a later release adds', { ...catalogue.invalidLimit, error: 1999 }],
    ['a 401 with an error value that a later release adds', { ...catalogue.noCaller, error: 1998 }],
  ])('reports %s, also with a further field', async (_, entry) => {
    const { statusCode: status, error, message } = entry;
    const altered = { status, body: { error, message, limit: 5 } };
    expect(await listAltered((good) => ({ ...good, ...altered }))).toEqual(failureOf(entry));
  });

  it('lists plants that have a field that a later release adds', async () => {
    const printed = await listAltered((good) => ({
      ...good,
      body: plantsIn(good).map((plant) => ({ ...plant, origin: 'Réunion' })),
    }));
    expect(printed).toMatchObject({ pages: [plants] });
  });
});
