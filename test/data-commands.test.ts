// What `npm test` checks about the suite `commands`. It goes with that suite.
import { expect, it } from 'vitest';
import { dataCases, runElsewhere } from './suites/commands/data-cases.ts';
import { type DataCommand, dataCommandsIn } from './support/data-commands.ts';
import { projectFiles } from './support/markdown.ts';

it('runs every documented command that reads or changes plants or logs against such data', () => {
  const known = [...dataCases, ...runElsewhere];
  const isOf = (command: DataCommand, { document, words }: (typeof known)[number]): boolean =>
    command.document === document && command.script.includes(words);
  const documented = dataCommandsIn(projectFiles().filter((file) => file.endsWith('.md')));
  expect(documented.filter((command) => !known.some((each) => isOf(command, each)))).toEqual([]);
  expect(known.filter((each) => documented.filter((command) => isOf(command, each)).length !== 1)).toEqual(
    [],
  );
});
