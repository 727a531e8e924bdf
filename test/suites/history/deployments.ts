import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dynamoDbTable, type DynamoDbTable } from '../../support/table/dynamodb-table.ts';
import { forward, type FakeServer, startFakeServer } from '../../support/fake-server.ts';
import { copyProject, type ProjectCopy, startService } from '../../support/service/local-service.ts';
import { bootstrap, rootKeys } from '../emulator.ts';
import { type KeySetServer, startKeySetServer } from './key-set-server.ts';

/** A running service whose issuer, store and clock the test controls. */
export interface Deployment {
  readonly baseUrl: string;
  /** The `iss` and `aud` of valid tokens. */
  readonly issuer: string;
  readonly audience: string;
  readonly keySet: KeySetServer;
  /** Sets whether the store responds to the functions; if not, their connections are closed. */
  readonly setStoreWorks: (works: boolean) => void;
  readonly table: DynamoDbTable;
  /** Milliseconds since 1970, as the functions see it. */
  readonly now: () => number;
  /** Advances the functions' clock, which does not run by itself. */
  readonly passTime: (milliseconds: number) => void;
  /** How long the gateway caches a decision of the authorizer, on that clock. */
  readonly cacheMs: number;
  /** Whether an environment of a function ends when its handler throws. */
  readonly endsAfterThrow: boolean;
  readonly stop: () => Promise<void>;
}

const storeIsDown = (): Promise<never> => Promise.reject(new Error('The store is down.'));

/** A project copy whose functions read the time from a file, and fake servers for its key set and store. */
const prepareProject = async () => {
  const project = copyProject();
  const clockFile = join(project.folder, 'clock');
  /** The source text of an expression: the time on the test's clock. */
  const clock = `Number(process.getBuiltinModule('node:fs').readFileSync('${clockFile}', 'utf8'))`;
  let now = 0;
  const passTime = (milliseconds: number): void => {
    now += milliseconds;
    writeFileSync(clockFile, String(now));
  };
  passTime(Math.floor(Date.now() / 1000) * 1000);
  for (const file of ['functions/authorizer/handler.ts', 'functions/http/dependencies.ts'])
    project.edit(file, 'Date.now()', clock);
  const [keySet, storeProxy] = await Promise.all([startKeySetServer(), startFakeServer(storeIsDown)]);
  return {
    controls: { keySet, now: () => now, passTime },
    ...{ project, storeProxy, clock },
    remove: async () => {
      await Promise.all([keySet.stop(), storeProxy.close()]);
      project.remove();
    },
  };
};

const setterOf =
  (storeProxy: FakeServer, endpoint: string): Deployment['setStoreWorks'] =>
  (works) => {
    storeProxy.respond(works ? (request) => forward(endpoint, request) : storeIsDown);
  };

/**
 * `npm start` with these environment variables.
 * @param change changes the project's source first
 */
export const startNpm = async (
  environment: Readonly<Record<string, string>> = {},
  change: (project: ProjectCopy) => void = () => undefined,
): Promise<Deployment> => {
  const { controls, project, clock, storeProxy, remove } = await prepareProject();
  change(project);
  project.edit('local/main.ts', '`${issuer}${jwksPath}`', `\`${controls.keySet.origin}\${jwksPath}\``);
  const endpoint = 'AWS_ENDPOINT_URL_DYNAMODB:';
  project.edit('local/main.ts', `${endpoint} storeEndpoint`, `${endpoint} '${storeProxy.url}'`);
  project.edit('local/gateway/authorizer.ts', 'Date.now()', clock);
  // The model evicts no decision, and all histories together have over 1,000.
  project.edit('local/gateway/authorizer.ts', 'maxDecisions = 1000', 'maxDecisions = Infinity');
  const service = await startService(project, environment);
  const { baseUrl, issuer, audience, storeEndpoint, tableName } = service;
  const table = dynamoDbTable(storeEndpoint, tableName);
  return {
    ...controls,
    setStoreWorks: setterOf(storeProxy, storeEndpoint),
    baseUrl,
    issuer,
    audience,
    table,
    cacheMs: 60_000,
    endsAfterThrow: false,
    stop: async () => {
      table.close();
      await service.stop();
      await remove();
    },
  };
};

/** The stack as `cdk deploy` makes it in the emulator. */
export const deployToEmulator = async (endpoint: string): Promise<Deployment> => {
  const { controls, project, storeProxy, remove } = await prepareProject();
  const storeEndpoint = 'storeEndpoint:';
  project.edit(
    'infra/stages.ts',
    `${storeEndpoint} loopback('STORE_PORT', 8000)`,
    `${storeEndpoint} '${storeProxy.url}'`,
  );
  const deployer = await bootstrap(endpoint, project, Number(new URL(controls.keySet.origin).port));
  const { baseUrl, audience, tableName } = await deployer.deploy();
  const table = dynamoDbTable(endpoint, tableName, rootKeys);
  return {
    ...controls,
    setStoreWorks: setterOf(storeProxy, endpoint),
    baseUrl,
    issuer: controls.keySet.origin,
    audience,
    table,
    // The emulator caches for a minute of real time, and a history takes less.
    cacheMs: Infinity,
    endsAfterThrow: true,
    stop: async () => {
      table.close();
      await remove();
    },
  };
};
