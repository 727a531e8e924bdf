import { describe, expect, it } from 'vitest';
import { operations } from '../../support/operation-catalogues.ts';

describe.each(operations)('the errors of $route', ({ catalogue }) => {
  it.each(Object.values(catalogue))(
    'have as the message of $error at least two sentences, and no internals',
    ({ message }) => {
      expect(message).toMatch(/^[A-Z][^\n]*\. [A-Z][^\n]*\.$/);
      expect(message).not.toMatch(/dynamo|lambda|aws|table|query|exception|stack|null|undefined/i);
    },
  );

  it('have unique values', () => {
    const values = Object.values(catalogue).map(({ error }) => error);
    expect(new Set(values).size).toBe(values.length);
  });

  it('have a 4xx status, which is 400 from value 2000 on', () => {
    for (const { error, statusCode } of Object.values(catalogue)) {
      expect(error >= 2000 ? statusCode === 400 : statusCode >= 400 && statusCode < 500).toBe(true);
    }
  });
});
