import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../functions/shared/errors.ts';

describe('the error values', () => {
  it('are those of the contract, each with its status', () => {
    const values = Object.values(catalogue).map(({ error, statusCode }) => [error, statusCode].join(' '));
    expect(values.join()).toBe('1001 400,1002 400,1003 400,1004 401,2000 400,2001 400,2002 400');
  });

  it.each(Object.values(catalogue))(
    'have a message that tells a person what to do: $message',
    ({ message }) => {
      expect(message).toMatch(/^[A-Z][^\n]*\. (?:Pass|Take|Send|Try) [^\n]*\.$/);
      expect(message).not.toMatch(/dynamo|lambda|aws|table|query|exception|stack|null|undefined/i);
    },
  );
});
