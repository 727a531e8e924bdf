import { UserError } from '../../terminal/user-error.ts';
import {
  localCredentials,
  localRegion,
  ownCredentials,
  ownStoreEndpoint,
  runningService,
} from '../../local/service-file.ts';
import { deployedStack } from '../deployed-stack.ts';
import { patientDynamoDb, type StoreConfig } from './dynamodb-client.ts';
import { waitUntilAborted } from './patience.ts';
import { type PlantTable, plantTable } from './plant-table.ts';

/** Which table a command uses: by stage, by name, or else that of the running local service. */
export interface TableOptions {
  readonly stage?: string;
  readonly table?: string;
  readonly endpoint?: string;
}

interface Location {
  readonly name: string;
  readonly config: StoreConfig;
}

/**
 * @param signal ends the table's reads and waits
 * @throws {UserError} when the stack does not exist, or the local service is not running
 */
export const findTable = async (options: TableOptions, signal: AbortSignal): Promise<PlantTable> => {
  const { name, config } = await locate(options);
  return plantTable(patientDynamoDb(config, waitUntilAborted(signal)), name, signal);
};

const locate = async ({ stage, table, endpoint }: TableOptions): Promise<Location> => {
  if (endpoint !== undefined && table === undefined) throw new UserError('Pass --table with --endpoint.');
  if (stage !== undefined && table !== undefined) throw new UserError('Pass --stage or --table, not both.');
  if (stage !== undefined) return { name: (await deployedStack(stage)).output('TableName'), config: {} };
  if (table !== undefined) {
    const at = endpoint !== undefined && { endpoint, region: localRegion, credentials: ownCredentials() };
    return { name: table, config: { ...at } };
  }
  const { storeEndpoint, tableName } = runningService();
  const credentials = ownStoreEndpoint === undefined ? localCredentials : ownCredentials();
  return { name: tableName, config: { endpoint: storeEndpoint, region: localRegion, credentials } };
};
