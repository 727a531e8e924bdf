import { expect, it } from 'vitest';
import { principalsOf } from '../../../functions/http/principals.ts';
import { requestTime as now } from '../../support/list-event.ts';

it('the caller’s principals are the user and each group, once', () => {
  const caller = { subject: 'alice', groups: ['buyers', 'alice', 'buyers'], expiresAt: now / 1000 + 0.001 };
  const event = { requestContext: { authorizer: { lambda: caller } } };
  expect(principalsOf(event, now)).toEqual(['user#alice', 'group#buyers', 'group#alice']);
});
