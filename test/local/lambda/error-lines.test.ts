import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorLines } from '../../../local/lambda/error-lines.ts';
import { projectFolder } from '../../../terminal/local-service.ts';

/** An error with these frames. */
const error = (message: string, frames: readonly string[], options?: ErrorOptions): Error =>
  Object.assign(new Error(message, options), {
    stack: [`Error: ${message}`, ...frames.map((frame) => `    at ${frame}`)].join('\n'),
  });
const inProject = (file: string): string => `respond (file://${join(projectFolder, file)}:12:3)`;
const inPackage = `middy (file://${join(projectFolder, 'node_modules/@middy/core/index.js')}:1:2)`;

describe('an error is printed with', () => {
  it('its message and the frames in this project, by their paths in it', () => {
    const frames = [
      'Array.map (<anonymous>)',
      inProject('table/item.ts'),
      inPackage,
      inProject('table/plant.ts'),
    ];
    expect(errorLines(error('The fern is dry.\nWater it.', frames)).split('\n')).toEqual([
      'Error: The fern is dry.',
      'Water it.',
      '    at respond (table/item.ts:12:3)',
      '    at respond (table/plant.ts:12:3)',
    ]);
  });

  it('the frames of its package if none is in this project', () => {
    expect(errorLines(error('dry', [inPackage]))).toMatch(/^Error: dry\n    at middy \(node_modules\/@middy/);
  });

  it('the first five frames of a deep stack', () => {
    const frames = Array<string>(50).fill(inProject('table/item.ts'));
    expect(errorLines(error('deep', frames)).split('\n')).toHaveLength(6);
  });

  it('its code, if that is not its name', () => {
    expect(errorLines(Object.assign(error('dry', []), { code: 'EDRY' }))).toBe('Error [EDRY]: dry');
    expect(errorLines(Object.assign(error('dry', []), { code: 'Dry', name: 'Dry' }))).toBe('Dry: dry');
  });

  it('its cause, and the cause of its cause', () => {
    const cause = error('in the middle', [], { cause: 'at the root' });
    expect(errorLines(error('outside', [], { cause })).split('\n')).toEqual([
      'Error: outside',
      'Caused by Error: in the middle',
      "Caused by 'at the root' was thrown, which is not an Error.",
    ]);
  });

  it('the errors that it combines', () => {
    const combined = new AggregateError([error('one', []), error('two', [])], 'both');
    expect(errorLines(Object.assign(combined, { stack: '' })).split('\n')).toEqual([
      'AggregateError: both',
      'Caused by Error: one',
      'Caused by Error: two',
    ]);
  });

  it('the first five errors that it combines, also at the last level', () => {
    const combined = new AggregateError(
      Array.from({ length: 6 }, (_, index) => error(`no. ${String(index)}`, [])),
    );
    const outermost = ['four', 'three', 'two', 'one'].reduce<Error>(
      (cause, message) => error(message, [], { cause }),
      combined,
    );
    expect(errorLines(outermost).match(/no\. \d/g)).toEqual(['no. 0', 'no. 1', 'no. 2', 'no. 3', 'no. 4']);
  });

  it('five causes, if it is its own cause', () => {
    const circle = error('circle', []);
    circle.cause = circle;
    expect(errorLines(circle).match(/circle/g)).toHaveLength(6);
  });

  it('its control characters escaped', () => {
    expect(errorLines(error('\u001b[2J\u009b', []))).toBe('Error: \\u001b[2J\\u009b');
  });
});

it.each<[unknown, string]>([
  ['text', "'text' was thrown"],
  [undefined, 'undefined was thrown'],
  [{ statusCode: 200 }, '{ statusCode: 200 } was thrown'],
])('a thrown %j, which is no error, is printed as its value', (value, text) => {
  expect(errorLines(value)).toBe(`${text}, which is not an Error.`);
});
