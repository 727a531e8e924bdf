import { describe, expect, it } from 'vitest';
import { encodeCursor } from '../../../../functions/list-plants/http/cursor.ts';
import { catalogue, ServiceError } from '../../../../functions/list-plants/errors.ts';
import { type ListRequest, parseListRequest } from '../../../../functions/list-plants/http/list-request.ts';
import { listEvent, requestTime } from '../../../support/list-event.ts';
import { sortKeyOf } from '../../../support/stored-plants.ts';

const place = sortKeyOf('Ökobaum', '1');
const cursor = encodeCursor(place);

const parse = (query: string): ListRequest => parseListRequest(listEvent({ query }), requestTime);

describe('a request', () => {
  it('is for all plants of the caller when it has no parameters', () => {
    expect(parseListRequest(listEvent({ groups: ['gardeners'] }), requestTime)).toEqual({
      principals: ['user#alice', 'group#gardeners'],
      limit: undefined,
      after: undefined,
      coding: 'identity',
    });
  });

  it('may have no query and no headers', () => {
    const { requestContext } = listEvent();
    expect(parseListRequest({ ...(requestContext && { requestContext }) }, requestTime)).toEqual(parse(''));
  });

  it('selects the content coding of its response', () => {
    expect(parseListRequest(listEvent({ acceptEncoding: 'gzip' }), requestTime).coding).toBe('gzip');
  });

  it.each([
    ['limit=5', 5, undefined],
    ['limit=0', 0, undefined],
    [`limit=5&cursor=${cursor}`, 5, place],
    [`cursor=${cursor}&limit=5`, 5, place],
    [`cursor=${cursor}`, undefined, place],
    ['limit=%35', 5, undefined],
    ['l%69mit=5', 5, undefined],
  ])('has parameters in its raw query: %s', (query, limit, after) => {
    const request = parse(query);
    expect([request.limit, request.after]).toEqual([limit, after]);
  });

  it.each('offset=5 limits=x Limit=x limit[]=x ?limit=x tag=a&tag=b && = % x=%zz cursors=x'.split(' '))(
    'may have unknown parameters, which are ignored: %s',
    (query) => {
      const request = parse(query);
      expect([request.limit, request.after]).toEqual([undefined, undefined]);
    },
  );

  it.each([
    ...'limit limit= limit=+5 limit=%2B5 limit=5%20 limit=-1 limit=05 limit=1e3 limit=5.0'.split(' '),
    ...'limit=1,2 limit=1%2C2 limit=1&limit=2 limit=1&limit=1 limit=1&offset=3&limit='.split(' '),
    ...'limit=1&l%69mit=2 limit=5;cursor=x limit=2147483648 limit=%zz limit=%EF%BC%95'.split(' '),
  ])('is refused with 1001 for its limit: %s', (query) => {
    expect(() => parse(query)).toThrow(new ServiceError(catalogue.invalidLimit));
  });

  it.each([
    'cursor',
    'cursor=',
    'cursor=x',
    `cursor=${cursor}&cursor=${cursor}`,
    `cursor=${cursor}&cursor=`,
    `cursor=${cursor},${cursor}`,
    `cursor=${cursor}%00`,
    `cursor=${cursor}%20`,
    `cursor=${cursor}=`,
    `cursor=%20${cursor}`,
  ])('is refused with 1002 for its cursor: %s', (query) => {
    expect(() => parse(query)).toThrow(new ServiceError(catalogue.invalidCursor));
  });

  it('is refused for its caller before its parameters are parsed', () => {
    expect(() => parseListRequest({ rawQueryString: 'limit=x' }, requestTime)).toThrow(
      new ServiceError(catalogue.noCaller),
    );
  });
});
