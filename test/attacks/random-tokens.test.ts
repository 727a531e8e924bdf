import fc from 'fast-check';
import { expect, it } from 'vitest';
import { issuerOf } from '../support/issuer.ts';
import { rsaKey } from '../support/tokens.ts';
import { startAuthorizer } from './authorizer.ts';
import { claimRows, headerRows } from './claims.ts';
import { type Row, tokenWith } from './entry.ts';

const issuer = issuerOf(rsaKey('rsa-1'), 'https://login.example.com', 'plant-store');

const membersIn = (part: 'claims' | 'header', table: readonly Row[]) =>
  table.flatMap(([expected, name, ...values]) =>
    values.map((value) => ({ part, name, value, isValid: expected === 'allowed' })),
  );
const members = [...membersIn('claims', claimRows), ...membersIn('header', headerRows)];
const anyThat = (isValid: boolean) =>
  fc.constantFrom(...members.filter((member) => member.isValid === isValid));
const member = fc.oneof({ weight: 5, arbitrary: anyThat(true) }, { weight: 1, arbitrary: anyThat(false) });
const differences = fc.uniqueArray(member, {
  selector: ({ part, name }) => `${part} ${name}`,
  maxLength: 6,
});

it('a token is allowed if and only if each of its claims and header parameters is valid', async () => {
  const { decide } = startAuthorizer(issuer);
  await fc.assert(
    fc.asyncProperty(differences, async (given) => {
      const changesOf = (part: string) =>
        Object.fromEntries(given.flatMap((each) => (each.part === part ? [[each.name, each.value]] : [])));
      const token = tokenWith(issuer, { claims: changesOf('claims'), header: changesOf('header') });
      const { isAuthorized } = await decide(`Bearer ${token}`);
      expect(isAuthorized).toBe(given.every(({ isValid }) => isValid));
    }),
    { numRuns: 500 },
  );
});
