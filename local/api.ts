import { once } from 'node:events';
import * as api from '../infra/operations.ts';
import { apiPage } from './api-page/page.ts';
import { gatewayServer, httpApi } from './gateway/gateway.ts';
import { readKey, signToken } from './issuer/issuer.ts';
import { lambdaFunction, printLine, writeJsonLog } from './lambda.ts';
import { listen } from './listen.ts';
import { keyFile } from './service-file.ts';

// The main process ended, or the last connection of a replaced process.
process.once('disconnect', () => process.exit());
const storeFilled = once(process, 'message');
writeJsonLog();

const load = async (folder: string, timeoutSeconds: number) =>
  lambdaFunction(folder, await import(`../functions/${folder}/handler.ts`), timeoutSeconds);
const authorizer = await load('authorizer', api.authorizerTimeoutSeconds);
const routes = await Array.fromAsync(api.operations, async ({ route: key, folder }) => ({
  key,
  ...(await load(folder, api.operationTimeoutSeconds)),
}));
await storeFilled;
await Promise.all([authorizer, ...routes].map(({ warmUp }) => warmUp()));

const respond = httpApi(routes, authorizer.invoke, api.authorizerCacheSeconds, printLine);
const { TOKEN_ISSUER: iss = '', AUDIENCE: aud = '' } = process.env;
const key = readKey(keyFile);
const page = apiPage(({ name: sub, groups }) => signToken(key, { iss, aud, sub, groups }));
const server = gatewayServer(
  async (message, requestId) => (await page(message)) ?? respond(message, requestId),
);
await listen(server, 'PORT');
// Before, an error is a failed load. From now on, it must not end the requests of others.
process.on('uncaughtException', (error) => {
  console.error(error);
});
