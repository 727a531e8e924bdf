import { describe, expect, it } from 'vitest';
import { principalsOf } from '../../../functions/http/principals.ts';
import { commonErrors, ServiceError } from '../../../functions/shared/errors.ts';
import { requestTime as now } from '../../support/list-event.ts';

const eventOf = (changes: object) => ({
  requestContext: {
    authorizer: { lambda: { subject: 'alice', groups: ['gardeners', 'buyers'], expiresAt: 0, ...changes } },
  },
});

describe('the caller’s principals', () => {
  it('are the user and each group, once', () => {
    const event = eventOf({ groups: ['buyers', 'alice', 'buyers'], expiresAt: now / 1000 + 60 });
    expect(principalsOf(event, now)).toEqual(['user#alice', 'group#buyers', 'group#alice']);
  });

  it('are refused from the moment of the token’s expiry', () => {
    expect(principalsOf(eventOf({ expiresAt: now / 1000 + 0.001 }), now)).toHaveLength(3);
    expect(() => principalsOf(eventOf({ expiresAt: now / 1000 }), now)).toThrow(
      new ServiceError(commonErrors.noCaller),
    );
  });
});
