import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { startFunctions } from '../../../local/lambda/functions.ts';
import { readStack } from '../../../local/stack/read-stack.ts';
import { credentials } from '../../support/dynamodb-table.ts';
import { copyProject, npm, startService } from '../../support/local-service.ts';

const decisionSchema = z.object({ context: z.object({ callerId: z.string() }) });

it('npm run plants -- caller-id prints the id that the running local service gives the user', async () => {
  const project = copyProject();
  const service = await startService(project);
  const { api, functions } = readStack(join(project.folder, 'cdk.out'), 'PlantStore-local');
  const authorizerId = api.routes[0]?.authorizer?.functionId ?? '';
  const { invoke, retire } = startFunctions(functions, {
    credentials,
    overrides: { TOKEN_ISSUER: service.issuer, JWKS_URI: `${service.issuer}/.well-known/jwks.json` },
    onLog: () => undefined,
  });
  try {
    const run = async (...parameters: readonly string[]): Promise<string> =>
      // Another terminal can have another Region.
      (await npm(project.folder, ['run', '-s', ...parameters], { AWS_REGION: 'eu-north-1' }).ended).output;
    const token = await run('token', '--', 'alice', '--group', 'gardeners');
    const { context } = decisionSchema.parse(
      await invoke(authorizerId, { identitySource: [`Bearer ${token.trim()}`] }),
    );
    expect(await run('plants', '--', 'caller-id', 'alice')).toBe(`${context.callerId}\n`);
  } finally {
    retire();
    await service.stop();
    project.remove();
  }
});
