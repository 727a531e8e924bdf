import type { Command, Step } from './steps.ts';

const inCommands =
  (simplify: (command: Command) => Command | undefined) =>
  (step: Step): Step | undefined => {
    if (step.step === 'put') return undefined;
    if (step.step === 'one') {
      const command = simplify(step.command);
      return command && { ...step, command };
    }
    const [first, second] = [simplify(step.first), simplify(step.second)];
    return first === undefined && second === undefined
      ? undefined
      : { ...step, first: first ?? step.first, second: second ?? step.second };
  };

const withoutRow =
  (index: number) =>
  (command: Command): Command | undefined =>
    command.run === 'import' && index < command.rows.length
      ? { ...command, rows: command.rows.toSpliced(index, 1) }
      : undefined;

const only =
  (which: 'first' | 'second') =>
  (step: Step): Step | undefined =>
    step.step === 'two' ? { step: 'one', table: step.table, command: step[which] } : undefined;

/** Each makes a step simpler; undefined: it cannot be. */
export const simplifications: readonly ((step: Step) => Step | undefined)[] = [
  only('first'),
  only('second'),
  ...[3, 2, 1, 0].map((index) => inCommands(withoutRow(index))),
  inCommands((command) =>
    'name' in command && command.name !== undefined ? { ...command, name: undefined } : undefined,
  ),
  inCommands((command) =>
    command.run === 'grant' && command.from !== undefined ? { ...command, from: undefined } : undefined,
  ),
  inCommands((command) =>
    command.run === 'import' && command.replace ? { ...command, replace: false } : undefined,
  ),
];
