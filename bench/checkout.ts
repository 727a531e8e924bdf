import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { FunctionCode } from './lambda/execution-environment.ts';

/** A function as a checkout deploys it. */
export interface DeployedFunction extends FunctionCode {
  readonly memoryMb: number;
}

const template = z.object({ Resources: z.record(z.string(), z.unknown()) });
const lambdaFunction = z.object({
  Properties: z.object({
    Code: z.object({ S3Key: z.string() }),
    Handler: z.string(),
    MemorySize: z.int(),
  }),
});

/**
 * Synthesizes the stack of `prod`, whose bundles have no source maps, with a checkout's packages and code.
 * @param output the folder of the assembly
 * @returns looks up the Lambda function that has this id in the stack
 */
export const synthesize = (checkout: string, output: string): ((id: string) => DeployedFunction) => {
  const options = ['--context', 'stage=prod', '--output', output];
  // CDK's validation is off, because its default rules take most of the time of a synthesis.
  const env = { ...process.env, CDK_VALIDATION: 'false' };
  execFileSync('npm', ['run', '--silent', 'synth', '--', ...options], {
    cwd: checkout,
    stdio: 'inherit',
    env,
  });
  const file = readFileSync(join(output, 'PlantStore-prod.template.json'), 'utf8');
  const resources = Object.entries(template.parse(JSON.parse(file)).Resources);
  return (id) => {
    // CDK appends a hash to the id of a function. The ids of its role and its log have text before the hash.
    const [, resource] = resources.find(([name]) => new RegExp(`^${id}[0-9A-F]{8}$`).test(name)) ?? [];
    const { Code, Handler, MemorySize } = lambdaFunction.parse(resource).Properties;
    const folder = join(output, `asset.${Code.S3Key.replace('.zip', '')}`);
    return { folder, handler: Handler, memoryMb: MemorySize };
  };
};
