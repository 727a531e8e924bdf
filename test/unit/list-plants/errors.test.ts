import { describe, expect, it } from 'vitest';
import { catalogue, pageTooLarge, tooLarge } from '../../../functions/list-plants/errors.ts';

describe('the error values', () => {
  it('are those of the contract, each with its status', () => {
    const entries = Object.entries(catalogue).map(([name, { error, statusCode }]) => [
      error,
      statusCode,
      name,
    ]);
    expect(entries).toEqual([
      [1001, 400, 'invalidLimit'],
      [1002, 400, 'invalidCursor'],
      [1003, 400, 'resultTooLarge'],
      [1004, 401, 'noCaller'],
      [2000, 400, 'unexpected'],
      [2001, 400, 'storeUnavailable'],
      [2002, 400, 'deadlineExceeded'],
    ]);
  });

  it.each([...Object.values(catalogue), pageTooLarge])(
    'have a message that tells a person what to do: $message',
    ({ message }) => {
      expect(message).toMatch(/^[A-Z][^\n]*\. (?:Pass|Take|Send|Try) [^\n]*\.$/);
      expect(message).not.toMatch(/dynamo|lambda|aws|table|query|exception|stack|null|undefined/i);
    },
  );

  it('tell the caller of a list that is too large to pass a limit, or a smaller one', () => {
    expect(tooLarge().message).toContain('Pass a limit ');
    expect(tooLarge(100).message).toContain('Pass a smaller limit ');
    expect(tooLarge(100).entry.error).toBe(1003);
  });
});
