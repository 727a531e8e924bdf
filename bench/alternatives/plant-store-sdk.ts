import { buildHandler } from '../../functions/http/build-handler.ts';
import { warmConnection } from '../../functions/http/warm-up.ts';
import { catalogue } from '../../functions/list-plants/errors.ts';
import { respond } from '../../functions/list-plants/respond.ts';
import { withDummyReads } from '../../functions/plant-store/dependencies.ts';
import { variable } from '../../functions/runtime/environment.ts';
import { logger } from '../../functions/runtime/logger.ts';
import { sdkClient, sdkPlantStore } from '../../test/unit/plant-store/sdk-plant-store.ts';

/** The product, but with the AWS SDK as its DynamoDB client. */
const dependencies = {
  store: sdkPlantStore(sdkClient(), variable(process.env, 'TABLE_NAME')),
  log: logger(console, process.env),
  now: () => Date.now(),
};

export const handler = buildHandler(respond, dependencies, catalogue.deadlineExceeded);

export const warmUp = (): Promise<void> =>
  warmConnection(respond, withDummyReads(dependencies), { rawQueryString: 'limit=1' });
