// The suite `clients` proves: five clients that are generated from `openapi.yaml` list plants, follow all
// links, report failures, and keep working when a release adds a field or an error value. It cannot show
// other generators, or other versions of these.
import { cpSync, mkdtempSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { catalogue } from '../../../functions/list-plants/errors.ts';
import type { CatalogueEntry } from '../../../functions/shared/errors.ts';
import { send, type ServiceResponse } from '../../contract/client.ts';
import { type Plant, plantsIn } from '../../contract/plants.ts';
import { type ResponseChange, withAltered } from '../../support/service/altered-service.ts';
import { copyProject, type LocalService, startService } from '../../support/service/local-service.ts';
import { readDocument, shellBlocks } from '../../support/markdown.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runTool } from '../tool.ts';

const variables = z
  .object({
    OAPI_CODEGEN_COMMAND: z.string(),
    OPENAPI_GENERATOR_BIN: z.string(),
    OPENAPI_PYTHON_CLIENT_COMMAND: z.string(),
    PATH: z.string(),
  })
  .parse(process.env);
const path = [
  dirname(variables.OAPI_CODEGEN_COMMAND),
  variables.OPENAPI_GENERATOR_BIN,
  dirname(variables.OPENAPI_PYTHON_CLIENT_COMMAND),
  variables.PATH,
].join(delimiter);
const libraries = join(variables.OPENAPI_GENERATOR_BIN, 'lib/*');

/** The command in docs/clients.md for each client, below a comment that names the client. */
const commands = new Map(
  shellBlocks(readDocument('docs/clients.md')).flatMap((block) =>
    [...block.replaceAll('\\\n', '').matchAll(/^# (.+)\n(.+)$/gm)].map(
      ([, client = '', command = '']) => [client, command] as const,
    ),
  ),
);

/** How the programs in this folder are built and run, after the documented command. */
const programs = [
  { client: 'Go, oapi-codegen', folder: 'go', build: 'go build -o list-plants .', run: './list-plants' },
  {
    client: 'Go, OpenAPI Generator',
    folder: 'go-openapi-generator',
    build: 'go vet ./... && go build -o list-plants .',
    run: './list-plants',
  },
  {
    client: 'Python, openapi-python-client',
    folder: 'python',
    build: 'python -m compileall -q .',
    run: 'PYTHONPATH=plant-store-service-client python list_plants.py',
  },
  {
    client: 'Java, OpenAPI Generator',
    folder: 'java',
    build: `find plant-store-client/src/main ListPlants.java -name '*.java' |
      xargs javac -nowarn -d classes -cp '${libraries}'`,
    run: `java -Dfile.encoding=UTF-8 -cp 'classes:${libraries}' ListPlants`,
  },
  {
    client: 'TypeScript, openapi-fetch',
    folder: 'typescript',
    build: 'npx --no-install tsc',
    run: 'node list-plants.mts',
  },
] as const;

const projectFile = (file: string): string => fileURLToPath(new URL(`../../../${file}`, import.meta.url));

const root = temporaryFolder();

/** A new folder with a program and its generated client. */
const generate = async ({ client, folder: program, build }: (typeof programs)[number]): Promise<string> => {
  const folder = mkdtempSync(join(root, 'client-'));
  cpSync(fileURLToPath(new URL(program, import.meta.url)), folder, { recursive: true });
  cpSync(projectFile('openapi.yaml'), join(folder, 'openapi.yaml'));
  if (program === 'typescript') {
    cpSync(projectFile('examples/typescript/tsconfig.json'), join(folder, 'tsconfig.json'));
    symlinkSync(projectFile('examples/typescript/node_modules'), join(folder, 'node_modules'));
  }
  for (const command of [z.string().parse(commands.get(client)), build]) {
    const { succeeded, output } = await runTool('bash', ['-c', command], {
      cwd: folder,
      env: { ...process.env, PATH: path },
    });
    expect(succeeded, `${command}\n${output}`).toBe(true);
  }
  return folder;
};

let service: LocalService;
let token: string;
let plants: readonly Plant[];
beforeAll(async () => {
  const project = copyProject();
  service = await startService(project);
  token = /Bearer ([\w.-]+)/.exec(service.command.output())?.[1] ?? '';
  plants = plantsIn(await send(service.baseUrl, '/plants', { authorization: `Bearer ${token}` }));
  return async () => {
    await service.stop();
    project.remove();
  };
});

const failureOf = ({ statusCode: status, ...body }: CatalogueEntry): object => ({ status, ...body });

it('docs/clients.md has the command of each client, and no other', () => {
  expect([...commands.keys()]).toEqual(programs.map(({ client }) => client));
});

describe.each(programs)('the generated client for $client', (program) => {
  let folder: string;
  beforeAll(async () => {
    folder = await generate(program);
  });

  /** What the program prints. */
  const list = async (limit = '', settings: Readonly<Record<string, string | undefined>> = {}) => {
    const env = { ...process.env, PATH: path, BASE_URL: service.baseUrl, TOKEN: token, ...settings };
    const { succeeded, stdout, output } = await runTool('bash', ['-c', `${program.run} ${limit}`], {
      cwd: folder,
      env,
    });
    expect(succeeded, output).toBe(true);
    const printed: unknown = JSON.parse(stdout);
    return printed;
  };

  it('lists all plants with their names and tags', async () => {
    expect(await list()).toEqual({ pages: [plants] });
    expect(plants).toContainEqual({ name: 'Café Marron', tag: 'endangered' });
    expect(plants).toContainEqual({ name: 'Fiddle-leaf fig' });
  });

  it('follows the links between three list pages', async () => {
    const pages = [0, 5, 10].map((start) => plants.slice(start, start + 5));
    expect(await list('5')).toEqual({ pages });
    expect(pages.at(-1)).toHaveLength(4);
  });

  it.each([
    ['an invalid limit', () => list('-1'), failureOf(catalogue.invalidLimit)],
    ['an invalid token', () => list('', { TOKEN: 'wrong' }), { status: 403, message: 'Forbidden' }],
    ['no token', () => list('', { TOKEN: undefined }), { status: 401, message: 'Unauthorized' }],
    [
      'an unknown route',
      () => list('', { BASE_URL: `${service.baseUrl}/v2` }),
      { status: 404, message: 'Not Found' },
    ],
  ])('reports the failure of a request with %s', async (_, listWrongly, failure) => {
    expect(await listWrongly()).toEqual(failure);
  });

  /** The program's output when each response is altered. */
  const listAltered = (response: ResponseChange): Promise<unknown> =>
    withAltered(service.baseUrl, { response }, (baseUrl) => list('', { BASE_URL: baseUrl }));

  it.each<readonly [what: string, entry: CatalogueEntry, headers: ServiceResponse['headers']]>([
    ['the error of an expired token', catalogue.noCaller, { 'www-authenticate': 'Bearer' }],
    ['the error of an unavailable store', catalogue.storeUnavailable, { 'retry-after': '1' }],
    ['an error value that a later release adds', { ...catalogue.invalidLimit, error: 1999 }, {}],
    ['a 401 with an error value that a later release adds', { ...catalogue.noCaller, error: 1998 }, {}],
  ])('reports %s, with and without a further field', async (_, entry, headers) => {
    const { statusCode: status, error, message } = entry;
    for (const further of [{}, { limit: 5 }]) {
      const printed = await listAltered((good) => ({
        ...good,
        status,
        headers: { ...good.headers, ...headers },
        body: { error, message, ...further },
      }));
      expect(printed).toMatchObject(failureOf(entry));
    }
  });

  it('lists plants that have a field that a later release adds', async () => {
    const printed = await listAltered((good) => ({
      ...good,
      body: plantsIn(good).map((plant) => ({ ...plant, origin: 'Réunion' })),
    }));
    expect(printed).toMatchObject({ pages: [plants] });
  });
});
