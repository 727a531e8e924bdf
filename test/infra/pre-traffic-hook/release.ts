import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { build } from 'esbuild';
import { expect } from 'vitest';
import { z } from 'zod';
import { bundleOptions } from '../../../infra/bundle.ts';
import { lambdaFunction, type LambdaFunction } from '../../../local/lambda/lambda-function.ts';
import { copyProject } from '../../support/service/local-service.ts';
import { startServer, stopServer, unusedUrl } from '../../support/loopback-server.ts';
import { rsaKey } from '../../support/tokens.ts';
import { idOf } from '../../support/resources.ts';
import { stageNamed, templateOf } from '../../support/synthesized.ts';
import { startReleaseServices } from './release-services.ts';

/** A change of the source: a text of a file and its replacement. */
type Edit = readonly [file: string, text: string, replacement: string];

/** How a version of a function differs from a good one. */
export interface Fault {
  readonly edit?: Edit;
  /** `good`: only alice has a plant. `withoutGrant`: refuses every request. `down`: nothing listens. */
  readonly environment?: (stores: Record<'good' | 'withoutGrant' | 'down', string>) => Record<string, string>;
  /** The issuer's key set; default: one with a key. `undefined`: the issuer is down. */
  readonly keySet?: { readonly text: string | undefined };
}

/** The event that CodeDeploy passes to the hook. */
export const hookEvent = { DeploymentId: 'd-EXAMPLE', LifecycleEventHookExecutionId: 'execution' };

/** The result of the hook for a version. */
export interface Release {
  /** The bodies of its calls of `PutLifecycleEventHookExecutionStatus`. */
  readonly statuses: readonly unknown[];
  /** Its log entry. */
  readonly entry: Readonly<Record<string, unknown>>;
  /** How many requests the store `withoutGrant` refused. */
  readonly refusedQueries: number;
}

export interface Releases {
  /** Bundles a version of a function as for a deployment, and runs the hook's own bundle on it. */
  readonly release: (functionId: string, fault: Fault) => Promise<Release>;
  readonly stop: () => Promise<void>;
}

const goodKeySet = JSON.stringify({ keys: [rsaKey('key').jwk] });
const logLine = z.object({ message: z.looseObject({}) });
const query = z.object({ ExpressionAttributeValues: z.record(z.string(), z.object({ S: z.string() })) });

const prod = templateOf(stageNamed('prod'));
const functionSchema = z.object({
  Metadata: z.object({ bundle: z.object({ entry: z.string() }) }),
  Properties: z.object({
    Environment: z.object({
      // A reference to another resource has no value here.
      Variables: z.record(z.string(), z.string().catch('')),
    }),
  }),
});
/** A function of the stack. */
const deployed = (id: string): z.infer<typeof functionSchema> =>
  functionSchema.parse(prod.findResources('AWS::Lambda::Function')[idOf(prod, 'AWS::Lambda::Function', id)]);

/** Starts the issuer and the stores that versions call. */
export const startReleases = async (): Promise<Releases> => {
  let keySetText: string | undefined;
  const issuer = createServer((request, response) => {
    if (keySetText === undefined) request.socket.destroy();
    else response.end(keySetText);
  });
  const jwksUri = await startServer(issuer);
  const store = createServer((request, response) => {
    void json(request).then((body) => {
      const values = Object.values(query.parse(body).ExpressionAttributeValues).map(({ S }) => S);
      const fern = { sortKey: { S: 'fern\u0000a01' }, name: { S: 'fern' } };
      response.end(JSON.stringify({ Items: values.includes('user#alice') ? [fern] : [] }));
    });
  });
  let refusedQueries = 0;
  const refusing = createServer((_request, response) => {
    refusedQueries += 1;
    response.writeHead(400).end('{"__type":"com.amazon.coral.service#AccessDeniedException"}');
  });
  const stores = {
    good: await startServer(store),
    withoutGrant: await startServer(refusing),
    down: await unusedUrl(),
  };

  const bundles = mkdtempSync(join(tmpdir(), 'plant-store-'));
  const project = copyProject();
  const bundle = async (entry: string, edit?: Edit): Promise<string> => {
    const restore = edit && project.edit(...edit);
    const codeFolder = mkdtempSync(join(bundles, 'version-'));
    await build({
      ...bundleOptions({ entry, sourceMaps: false }, codeFolder),
      absWorkingDir: project.folder,
    });
    restore?.();
    return codeFolder;
  };
  const hookFolder = await bundle('functions/pre-traffic-hook/handler.ts');

  return {
    release: async (functionId, { edit, environment, keySet = { text: goodKeySet } }) => {
      keySetText = keySet.text;
      refusedQueries = 0;
      const lines: string[] = [];
      const codeFolder = await bundle(deployed(functionId).Metadata.bundle.entry, edit);
      const run = start(functionId, 'warm.handler', codeFolder, lines, {
        TOKEN_ALGORITHMS: 'RS256,ES256,EdDSA',
        JWKS_URI: jwksUri,
        TOKEN_PROFILE: 'rfc9068',
        TOKEN_ISSUER: 'https://login.example.com/',
        AUDIENCE: 'plant-store',
        GROUPS_CLAIM: 'groups',
        TABLE_NAME: 'Plants',
        AWS_ENDPOINT_URL_DYNAMODB: stores.good,
        ...environment?.(stores),
      });
      const services = await startReleaseServices({ functionName: functionId, version: '7', run, lines });
      const hookLines: string[] = [];
      const hook = start('pre-traffic-hook', 'index.handler', hookFolder, hookLines, {
        ...deployed(`PreTraffic${functionId}`).Properties.Environment.Variables,
        TESTED_FUNCTION: functionId,
        TESTED_VERSION: '7',
        AWS_ENDPOINT_URL_LAMBDA: services.endpoint,
        AWS_ENDPOINT_URL_CODEDEPLOY: services.endpoint,
      });
      try {
        await hook.invoke(hookEvent);
        await expect.poll(() => hookLines).toHaveLength(1);
        const { message: entry } = logLine.parse(JSON.parse(hookLines.join('')));
        return { statuses: services.statuses, entry, refusedQueries };
      } finally {
        run.retire();
        hook.retire();
        await services.stop();
      }
    },
    stop: async () => {
      await Promise.all([issuer, store, refusing].map(stopServer));
      project.remove();
      rmSync(bundles, { recursive: true });
    },
  };
};

/** A function as on Lambda, with these variables and credentials. */
const start = (
  id: string,
  handler: string,
  codeFolder: string,
  lines: string[],
  environment: Readonly<Record<string, string>>,
): LambdaFunction => {
  const source = { entry: '', sourceMaps: false };
  const aws = {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'secret',
  };
  return lambdaFunction(
    { id, handler, codeFolder, source, timeout: 240, memorySize: 256, environment: {} },
    { ...aws, ...environment },
    (line) => lines.push(line),
  );
};
