import { beforeAll, expect, it } from 'vitest';
import { send } from './client.ts';
import { item, newName } from './plants.ts';
import { readOnlyChecks } from './read-only-checks.ts';
import type { Target } from './target.ts';

export const describeReadOnly = (target: () => Target): void => {
  const subject = newName('user');
  beforeAll(async () => {
    const names = ['\u{1f335}', '\uff21', 'a', 'a', ...Array.from({ length: 13 }, () => 'x'.repeat(700))];
    await target().put(names.map((name, index) => item(`user#${subject}`, name, String(index))));
  });

  it.each(Object.entries(readOnlyChecks))('%s', async (_, check) => {
    const { baseUrl, gateway, issuer } = target();
    const unchecked = await check({
      token: issuer.token({ claims: { sub: subject } }),
      gateway,
      send: (...request) => send(baseUrl, ...request),
    });
    expect(unchecked).toBeUndefined();
  });
};
