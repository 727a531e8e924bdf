import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { callerIdOf } from '../../../functions/authorizer/authorize.ts';

it.each([
  ['arn:aws:cloudformation:eu-central-1:123456789012:stack/Dev/1b2c', 'https://login.example.com/', 'alice'],
  ['a b', '', "it's %s 🌵\n"],
])('the caller id of %j, %j and %j is what the runbook’s command prints', (...parts) => {
  const command = String.raw`printf '%s\0%s\0%s' "$1" "$2" "$3" | sha256sum | cut -c1-16`;
  const printed = execFileSync('bash', ['-c', command, 'bash', ...parts], { encoding: 'utf8' });
  expect(printed.trim()).toBe(callerIdOf(...parts));
});
