import { describe, expect, it } from 'vitest';
import { variable } from '../../../functions/shared/environment.ts';

describe('an environment variable', () => {
  it('is read unchanged', () => {
    expect(variable({ TABLE_NAME: ' plants ' }, 'TABLE_NAME')).toBe(' plants ');
  });

  it.each([
    ['missing', {}],
    ['undefined', { TABLE_NAME: undefined }],
    ['empty', { TABLE_NAME: '' }],
  ])('that is %s is named in the error', (_, environment) => {
    expect(() => variable(environment, 'TABLE_NAME')).toThrow(/\bTABLE_NAME\b/);
  });
});
