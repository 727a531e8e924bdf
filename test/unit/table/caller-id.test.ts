import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { callerIdOf } from '../../../table/caller-id.ts';

describe('the id of a caller', () => {
  it('is 16 hexadecimal digits of SHA-256 over salt, issuer and subject', () => {
    const digest = createHash('sha256')
      .update('salt\u0000https://login.example.com/\u0000alice')
      .digest('hex');
    expect(callerIdOf('salt', 'https://login.example.com/', 'alice')).toBe(digest.slice(0, 16));
  });

  it('differs for another salt, issuer or subject', () => {
    const ids = [
      callerIdOf('salt', 'issuer', 'alice'),
      callerIdOf('other', 'issuer', 'alice'),
      callerIdOf('salt', 'other', 'alice'),
      callerIdOf('salt', 'issuer', 'bob'),
    ];
    expect(new Set(ids).size).toBe(4);
  });
});
