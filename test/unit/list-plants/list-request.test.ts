import { describe, expect, it } from 'vitest';
import { catalogue, ServiceError } from '../../../functions/shared/errors.ts';
import { encodeCursor } from '../../../functions/list-plants/cursor.ts';
import { noLimit } from '../../../functions/list-plants/limit.ts';
import { parseListRequest, principalsOf } from '../../../functions/list-plants/list-request.ts';
import { listEvent, requestTime as now } from '../../support/list-event.ts';
import { sortKeyOf } from '../../support/table/stored-plants.ts';

const position = sortKeyOf('Ökobaum', '1');
const cursor = encodeCursor(position);
const good = { subject: 'alice', groups: ['gardeners', 'buyers'], expiresAt: now / 1000 + 60 };
const refusal = new ServiceError(catalogue.noCaller);

describe('a request', () => {
  it('is for all plants of the caller when it has no parameters, no query and no headers', () => {
    const { requestContext = {} } = listEvent({ groups: ['gardeners'] });
    const principals = ['user#alice', 'group#gardeners'];
    expect(parseListRequest({ requestContext }, now)).toEqual({
      principals,
      limit: noLimit,
      coding: 'identity',
    });
    expect(parseListRequest(listEvent({ acceptEncoding: 'gzip' }), now).coding).toBe('gzip');
  });

  it.each([
    [`limit=5&cursor=${cursor}`, { limit: 5, after: position }],
    ['l%69mit=%35', { limit: 5, after: undefined }],
    ['?limit=x', { limit: noLimit, after: undefined }],
    ['limits=x&Limit=x&limit[]=x&=&%&x=%zz&cursors=x', { limit: noLimit, after: undefined }],
  ])('has its parameters in the raw query, and unknown ones are ignored: %s', (query, parameters) => {
    expect(parseListRequest(listEvent({ query }), now)).toMatchObject(parameters);
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

  it('are refused from the moment of the token’s expiry', () => {
    expect(principalsOf({ ...good, expiresAt: now / 1000 + 0.001 }, now)).toHaveLength(3);
    expect(() => principalsOf({ ...good, expiresAt: now / 1000 }, now)).toThrow(refusal);
  });
});
