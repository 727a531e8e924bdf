import { logger } from '../shared/logger.ts';
import { credentialsFrom, variable } from '../shared/environment.ts';
import { awsClient } from './aws/aws-client.ts';
import { invokeVersion } from './aws/invoke-version.ts';
import { reportStatus } from './aws/report-status.ts';
import { checkAuthorizer } from './check-authorizer.ts';
import { checkListPlants } from './check-list-plants.ts';
import { type HookEvent, runHook } from './run-hook.ts';

const send = awsClient({
  region: variable(process.env, 'AWS_REGION'),
  credentials: credentialsFrom(process.env),
});

const invoke = invokeVersion(send, {
  endpoint: variable(process.env, 'AWS_ENDPOINT_URL_LAMBDA'),
  functionName: variable(process.env, 'TESTED_FUNCTION'),
  version: variable(process.env, 'TESTED_VERSION'),
});

// Only the authorizer's hook has the algorithms that the stage accepts.
const [algorithm = ''] = (process.env['TOKEN_ALGORITHMS'] ?? '').split(',');

const dependencies = {
  check: () =>
    algorithm === '' ? checkListPlants(invoke, () => Date.now()) : checkAuthorizer(invoke, algorithm),
  report: reportStatus(send, variable(process.env, 'AWS_ENDPOINT_URL_CODEDEPLOY')),
  log: logger(console, process.env),
};

export const handler = (event: HookEvent): Promise<void> => runHook(dependencies, event);
