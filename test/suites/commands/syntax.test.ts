import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { projectFiles, readDocument, shellBlocks } from '../../support/markdown.ts';
import { runTool } from '../tool.ts';
import { commandsInSentences } from './operator-shell.ts';

const shellCheck = z.string().parse(process.env['SHELLCHECK_COMMAND']);

/** What ShellCheck finds in a block that is pasted into bash. */
const findingsIn = (block: string): string => {
  // Single quotes keep names such as '$default', and a block sets variables for the next one.
  const options = ['--shell=bash', '--exclude=SC2016,SC2034', '-'];
  // Otherwise names that a reader replaces, such as <BaseUrl>, would be redirections.
  const input = block.replaceAll(/<(\w+)>/g, '$1');
  const { error, status, stdout } = spawnSync(shellCheck, options, { input, encoding: 'utf8' });
  if (error !== undefined) throw error;
  return status === 0 ? '' : stdout;
};

const blocks = projectFiles()
  .filter((file) => file.endsWith('.md'))
  .flatMap((file) => shellBlocks(readDocument(file)).map((block) => ({ file, block })));

it('ShellCheck finds nothing in the blocks of commands of the documents', ({ task }) => {
  task.meta.cases = blocks.length;
  const found = blocks.map(({ file, block }) => `${file}: ${findingsIn(block)}`);
  expect(found).toEqual(blocks.map(({ file }) => `${file}: `));
});

it('ShellCheck finds a variable without quotes, and a block that is not complete', () => {
  expect(findingsIn('aws dynamodb describe-table --table-name $TABLE')).toContain('SC2086');
  expect(findingsIn('for NAME in a b; do echo "$NAME"')).toContain('SC1073');
});

it.each(commandsInSentences('docs/runbook.md').filter((command) => command.startsWith('aws ')))(
  'the AWS CLI accepts the parameters of `%s`',
  async (command) => {
    const { output } = await runTool('bash', ['-c', command.replace('aws', '"$AWS_CLI_COMMAND"')], {
      env: {
        ...process.env,
        STACK: 'PlantStore-prod',
        LIST: 'list',
        AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
        AWS_MAX_ATTEMPTS: '1',
        AWS_DEFAULT_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'none',
        AWS_SECRET_ACCESS_KEY: 'none',
      },
    });
    expect(output).toContain('Could not connect to the endpoint URL');
  },
);
