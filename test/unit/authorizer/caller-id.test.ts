import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { callerIdOf } from '../../../functions/authorizer/authorize.ts';

it.each([
  [
    'arn:aws:cloudformation:eu-central-1:123456789012:stack/PlantStore-dev/1b2c',
    'https://login.example.com/',
    'alice',
  ],
  ['a b', '', "it's %s 🌵\n"],
])(
  'a caller’s name in logs is made of salt, issuer and subject, as the runbook’s words of shell print it: %j %j %j',
  (salt, issuer, subject) => {
    const words = String.raw`printf '%s\0%s\0%s' "$1" "$2" "$3" | sha256sum | cut -c1-16`;
    const printed = execFileSync('bash', ['-c', words, 'bash', salt, issuer, subject], { encoding: 'utf8' });
    expect(printed.trim()).toBe(callerIdOf(salt, issuer, subject));
  },
);
