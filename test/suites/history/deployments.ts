import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dynamoDbTable, type DynamoDbTable } from '../../support/table/dynamodb-table.ts';
import { forward, openLink } from '../../support/link.ts';
import { copyProject, type ProjectCopy, startService } from '../../support/service/local-service.ts';
import { bootstrap, rootKeys } from '../emulator.ts';
import { type KeySetServer, startKeySetServer } from './key-set-server.ts';

/** The connection from the functions to the store, which can fail. */
interface StoreLink {
  /** The URL that the functions use for the store. */
  readonly url: string;
  readonly leadTo: (upstream: string) => void;
  /** Whether requests get responses; when not, their connections are closed. */
  readonly setWorks: (works: boolean) => void;
  readonly close: () => Promise<void>;
}

const openStoreLink = async (): Promise<StoreLink> => {
  let upstream = '';
  let works = true;
  const { url, close } = await openLink((request) =>
    works ? forward(upstream, request) : Promise.reject(new Error('The store is down.')),
  );
  return {
    url,
    close,
    leadTo: (next) => {
      upstream = next;
    },
    setWorks: (next) => {
      works = next;
    },
  };
};

/** A running service whose issuer, store and clock the test controls. */
export interface Deployment {
  readonly baseUrl: string;
  /** The `iss` and `aud` of right tokens. */
  readonly issuer: string;
  readonly audience: string;
  readonly keySet: KeySetServer;
  readonly store: StoreLink;
  readonly table: DynamoDbTable;
  /** Milliseconds since 1970, as the functions see it. */
  readonly now: () => number;
  /** Lets time pass for the functions; otherwise their clock stands still. */
  readonly passTime: (milliseconds: number) => void;
  /** How long the gateway caches a decision of the authorizer, on that clock. */
  readonly cacheMs: number;
  /** Whether an environment of a function ends when its handler throws. */
  readonly endsAfterThrow: boolean;
  readonly stop: () => Promise<void>;
}

type Surroundings = Pick<Deployment, 'keySet' | 'store' | 'now' | 'passTime'> & {
  readonly project: ProjectCopy;
  /** The source text of an expression: the time on the test's clock. */
  readonly clock: string;
};

/** A copy of the project whose functions read the time from a file, with an issuer and a link to the store. */
const surroundings = async (): Promise<Surroundings> => {
  const project = copyProject();
  const clockFile = join(project.folder, 'clock');
  const clock = `Number(process.getBuiltinModule('node:fs').readFileSync('${clockFile}', 'utf8'))`;
  let now = 0;
  const passTime = (milliseconds: number): void => {
    now += milliseconds;
    writeFileSync(clockFile, String(now));
  };
  passTime(Math.floor(Date.now() / 1000) * 1000);
  for (const file of ['functions/authorizer/handler.ts', 'functions/http/dependencies.ts'])
    project.edit(file, 'Date.now()', clock);
  const [keySet, store] = await Promise.all([startKeySetServer(), openStoreLink()]);
  return { project, keySet, store, clock, now: () => now, passTime };
};

/**
 * `npm start` with these environment variables.
 * @param change changes the project's source first
 */
export const startNpm = async (
  environment: Readonly<Record<string, string>> = {},
  change: (project: ProjectCopy) => void = () => undefined,
): Promise<Deployment> => {
  const { project, clock, ...around } = await surroundings();
  const { keySet, store } = around;
  change(project);
  project.edit('local/main.ts', 'JWKS_URI: jwksUri', `JWKS_URI: '${keySet.url}'`);
  const endpoint = 'AWS_ENDPOINT_URL_DYNAMODB:';
  project.edit('local/main.ts', `${endpoint} store.endpoint`, `${endpoint} '${store.url}'`);
  project.edit('local/gateway/authorizer.ts', 'Date.now()', clock);
  const service = await startService(project, environment);
  const { baseUrl, issuer, audience, storeEndpoint, tableName } = service;
  store.leadTo(storeEndpoint);
  const table = dynamoDbTable(storeEndpoint, tableName);
  return {
    ...around,
    baseUrl,
    issuer,
    audience,
    table,
    cacheMs: 60_000,
    endsAfterThrow: false,
    stop: async () => {
      table.close();
      await service.stop();
      await Promise.all([keySet.stop(), store.close()]);
      project.remove();
    },
  };
};

/** The stack as `cdk deploy` makes it in the emulator. */
export const deployToEmulator = async (endpoint: string): Promise<Deployment> => {
  const { project, ...around } = await surroundings();
  const { keySet, store } = around;
  store.leadTo(endpoint);
  const storeEndpoint = 'storeEndpoint:';
  project.edit(
    'infra/stages.ts',
    `${storeEndpoint} loopback('STORE_PORT', 8000)`,
    `${storeEndpoint} '${store.url}'`,
  );
  const deployer = await bootstrap(endpoint, project, Number(new URL(keySet.origin).port));
  const { baseUrl, audience, tableName } = await deployer.deploy();
  const table = dynamoDbTable(endpoint, tableName, rootKeys);
  return {
    ...around,
    baseUrl,
    issuer: keySet.origin,
    audience,
    table,
    // On the emulator's own clock, on which a history lasts less than its minute.
    cacheMs: Infinity,
    endsAfterThrow: true,
    stop: async () => {
      table.close();
      await Promise.all([keySet.stop(), store.close()]);
      project.remove();
    },
  };
};
