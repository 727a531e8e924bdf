import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalogue, ServiceError } from '../../../../functions/list-plants/errors.ts';
import { encodeCursor } from '../../../../functions/list-plants/http/cursor.ts';
import {
  type ListRequest,
  parseListRequest,
  principalsOf,
} from '../../../../functions/list-plants/http/list-request.ts';
import { listEvent, requestTime as now } from '../../../support/list-event.ts';
import { sortKeyOf } from '../../../support/stored-plants.ts';

const place = sortKeyOf('Ökobaum', '1');
const cursor = encodeCursor(place);
const good = { subject: 'alice', groups: ['gardeners', 'buyers'], expiresAt: now / 1000 + 60 };
const refusal = new ServiceError(catalogue.noCaller);

const parse = (query: string): ListRequest => parseListRequest(listEvent({ query }), now);

describe('a request', () => {
  it('is for all plants of the caller when it has no parameters, no query and no headers', () => {
    const { requestContext = {} } = listEvent({ groups: ['gardeners'] });
    const principals = ['user#alice', 'group#gardeners'];
    expect(parseListRequest({ requestContext }, now)).toEqual({ principals, coding: 'identity' });
  });

  it('selects the content coding of its response', () => {
    expect(parseListRequest(listEvent({ acceptEncoding: 'gzip' }), now).coding).toBe('gzip');
  });

  it.each<[string, (number | undefined)?, string?]>([
    [`limit=5&cursor=${cursor}`, 5, place],
    [`cursor=${cursor}`, undefined, place],
    ['l%69mit=%35', 5, undefined],
    ['?limit=x'],
    ['limits=x&Limit=x&limit[]=x&=&%&x=%zz&cursors=x'],
  ])('has its parameters in the raw query, and unknown ones are ignored: %s', (query, limit, after) => {
    expect(parse(query)).toMatchObject({ limit, after });
  });

  const limits =
    'limit limit= limit=%2B5 limit=5%20 limit=1,2 limit=1&limit=1 limit=1&l%69mit=2 limit=5;cursor=x limit=%zz'.split(
      ' ',
    );
  it.each(limits)('is refused with 1001 for its limit: %s', (query) => {
    expect(() => parse(query)).toThrow(new ServiceError(catalogue.invalidLimit));
  });

  it.each([
    'cursor',
    'cursor=x',
    ...['&cursor=', `,${cursor}`, '%00'].map((more) => `cursor=${cursor}${more}`),
  ])('is refused with 1002 for its cursor: %s', (query) => {
    expect(() => parse(query)).toThrow(new ServiceError(catalogue.invalidCursor));
  });

  it.each([{}, { requestContext: {} }, { requestContext: { authorizer: { lambda: null } } }])(
    'is refused for its caller before its parameters are parsed: %j',
    (event) => {
      expect(() => parseListRequest({ ...event, rawQueryString: 'limit=x' }, now)).toThrow(refusal);
    },
  );
});

describe('the caller’s principals', () => {
  it('are the user and each group, once', () => {
    const groups = ['buyers', 'alice', 'buyers'];
    expect(principalsOf({ ...good, groups }, now)).toEqual(['user#alice', 'group#buyers', 'group#alice']);
  });

  it('are refused from the moment of the token’s expiry, also when a gateway wrote it as text', () => {
    for (const [expiresAt, isValid] of [
      [now / 1000 + 0.001, true],
      [String(now / 1000 + 1), true],
      [now / 1000, false],
      [String(now / 1000), false],
    ] as const) {
      const read = () => principalsOf({ ...good, expiresAt }, now);
      if (isValid) expect(read()).toHaveLength(3);
      else expect(read).toThrow(refusal);
    }
  });

  it('of two callers overlap only in a shared user or group', () => {
    const name = fc.oneof(
      fc.constantFrom('alice', 'user#alice', 'group#alice', '#', 'a#b', 'user', 'group'),
      fc.string({ minLength: 1, maxLength: 5 }),
    );
    const caller = fc.record({ subject: name, groups: fc.array(name, { maxLength: 4 }) });
    fc.assert(
      fc.property(caller, caller, (one, other) => {
        const others = principalsOf({ ...good, ...other }, now);
        const shared = principalsOf({ ...good, ...one }, now).filter((each) => others.includes(each));
        const groups = new Set(one.groups).intersection(new Set(other.groups));
        expect(shared.length).toBe(Number(one.subject === other.subject) + groups.size);
      }),
    );
  });
});
