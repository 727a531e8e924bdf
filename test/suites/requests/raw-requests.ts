import { METHODS } from 'node:http';
import fc from 'fast-check';
import { isDescribed } from '../../contract/description.ts';

/** A request as sent over the connection, and the expected response. */
export interface RawRequest {
  readonly method: string;
  /** One character per byte; `{token}` stands for a valid token, which no report of a failure may contain. */
  readonly text: string;
  /** The possible statuses of the response. */
  readonly statuses: readonly number[];
  /** Whether the connection is closed after the response. */
  readonly closes: boolean;
  /** Its limit, with status 200. */
  readonly limit?: number;
}

/** One part of a request, with the possible statuses if this part decides them. */
interface Part {
  readonly text: string;
  readonly statuses?: readonly number[];
  readonly limit?: number;
}

/** One of these texts, which all have the same possible statuses. */
const fixed = (statuses: readonly number[] | undefined, ...texts: readonly string[]): fc.Arbitrary<Part> =>
  fc.constantFrom(...texts).map((text) => ({ text, ...(statuses && { statuses }) }));

/** Mostly the ordinary text, so that the other parts decide. */
const mostly = (ordinary: fc.Arbitrary<Part>, ...others: readonly fc.Arbitrary<Part>[]): fc.Arbitrary<Part> =>
  fc.oneof({ arbitrary: ordinary, weight: 3 * others.length }, ...others);

const byte = (from: number, to: number): fc.Arbitrary<string> =>
  fc.integer({ min: from, max: to }).map((code) => String.fromCharCode(code));
const visible = byte(0x21, 0x7e);
const beyondAscii = byte(0x80, 0xff);
const text = (unit: fc.Arbitrary<string>, maxLength: number, minLength = 0): fc.Arbitrary<string> =>
  fc.string({ unit, minLength, maxLength });

const parsedMethods = METHODS.filter((each) => each !== 'CONNECT' && !isDescribed(each, '/plants'));
const method = mostly(
  fixed(undefined, 'GET'),
  fixed([404], ...parsedMethods),
  fixed([400], 'get', 'Get', 'FOO', 'PLANTS', 'GETT', "!#$%&'*+-.^_`|~"),
);

/** Paths without a route, as some requests below `/plants` can have one. */
const unknownPaths = [
  ...'/ // //plants /plants/ /./plants /plants/. /x/../plants /%70lants /plants%2e'.split(' '),
  ...'/PLANTS /plants;a=b /plants% /plants%00 /%2e%2e/etc/passwd * http://x/plants'.split(' '),
].filter((each) => !isDescribed('GET', each));
const path = mostly(
  fixed(undefined, '/plants'),
  fixed([404], ...unknownPaths),
  text(visible, 60, 1)
    .filter((tail) => !/[?#]/.test(tail) && !isDescribed('GET', `/plants${tail}`))
    .map((tail) => ({ text: `/plants${tail}`, statuses: [404] })),
);

const goodCursor = 'Jf453kZpZGRsZS1sZWFmIGZpZwBhMDc';
const escape = fc.constantFrom(...'% %z %zz %0 %00 %ff %c3%28 %u0041 %25 + ; && =='.split(' '));
const parameter = fc
  .tuple(
    fc.constantFrom('limit', 'cursor', 'Limit', '%6cimit', 'limit[]', '', 'q'),
    fc.oneof(fc.constantFrom('1', goodCursor), escape, text(visible, 40), text(visible, 1500)),
  )
  .map(([name, value]) => `${name}=${value.replaceAll('#', '')}`);
const query = mostly(
  fc
    .integer({ min: 0, max: 30 })
    .map((limit) => ({ text: `?limit=${String(limit)}`, statuses: [200], limit })),
  fixed(
    [200],
    '',
    ...'? ??limit=x ?&& ?Limit=x ?limit=%31 ?q=%zz&q'.split(' '),
    `?limit=2&cursor=${goodCursor}`,
  ),
  fixed(
    [400],
    ...'?limit ?limit= ?limit=1&limit=1 ?%6cimit=x ?limit=%zz ?limit=+1 ?limit=2147483648'.split(' '),
  ),
  fixed([400], ...'?cursor= ?cursor=%ff ?limit=%00'.split(' '), `?cursor=${goodCursor}&cursor=${goodCursor}`),
  fc.array(parameter, { minLength: 1, maxLength: 3 }).map((each) => ({
    text: `?${each.join('&')}`,
    statuses: [200, 400],
  })),
);

const host = mostly(
  fixed(undefined, 'Host: plants.example\r\n', 'hOsT:plants.example \r\n', 'Host:\r\n', 'Host: \xe4\r\n'),
  fixed([400], ''),
);

const credentials = mostly(
  fixed(undefined, 'Authorization: Bearer {token}\r\n', 'AUTHORIZATION:bEARER   {token} \t\r\n'),
  fixed([401], '', 'Authorization:\r\n', 'Authorization: \t \r\n', 'Authorisation: Bearer {token}\r\n'),
  fixed(
    [403],
    'Authorization: {token}\r\n',
    'Authorization: Bearer {token}\r\nauthorization: Bearer {token}\r\n',
  ),
  fixed([403], 'Authorization: Bearer {token}x\r\n', 'Authorization:\r\nAuthorization: Bearer {token}\r\n'),
  text(fc.oneof(visible, beyondAscii), 60, 1).map((value) => ({
    text: `Authorization: Bearer ${value}\r\n`,
    statuses: [403],
  })),
);

const otherHeaders = mostly(
  fixed(undefined, ''),
  fc
    .tuple(
      fc.constantFrom(...'Accept Accept-Encoding Cookie Origin Range If-None-Match Forwarded X'.split(' ')),
      text(fc.oneof(visible, beyondAscii, fc.constantFrom(' ', '\t', ',', ';', '"')), 60),
    )
    .map(([name, value]) => ({ text: `${name}: ${value}\r\n` })),
  fixed(
    undefined,
    'Accept-Encoding: *;q=0\r\n',
    'Accept-Encoding: br;q=x,,\r\nAccept-Encoding: gzip\r\n',
    'Cookie:\r\n',
  ),
  fixed(undefined, 'X-HTTP-Method-Override: DELETE\r\n'),
  fixed(undefined, 'X-Forwarded-Host: x\r\nX-Original-URL: /\r\n', 'Upgrade-Insecure-Requests: 1\r\n'),
  fixed(undefined, 'Connection: close\r\n'),
  fc.integer({ min: 100, max: 700 }).map((count) => ({ text: 'a:\r\n'.repeat(count) })),
);

const body = mostly(
  fixed(undefined, '\r\n'),
  fixed(
    undefined,
    'Content-Length: 0\r\n\r\n',
    'Content-Length: 4\r\nContent-Type: application/json\r\n\r\nnull',
  ),
  fixed(undefined, 'Transfer-Encoding: chunked\r\n\r\n4;x=y\r\n\r\n\r\n\r\n0\r\nA: b\r\n\r\n'),
);

const version = mostly(fixed(undefined, 'HTTP/1.1'), fixed(undefined, 'HTTP/1.0'));

/** The size of the request line and the headers: below or above an HTTP API's quota of 10,240 bytes. */
const size = fc.oneof(
  { arbitrary: fc.constant(0), weight: 20 },
  fc.integer({ min: 7500, max: 8200 }),
  fc.integer({ min: 14_000, max: 20_000 }),
);

/** A request that is valid HTTP except for its method and `Host`, with anything unusual in its parts. */
const oddRequest: fc.Arbitrary<RawRequest> = fc
  .tuple(
    fc.tuple(method, path, query, version),
    fc.tuple(host, credentials, otherHeaders, body),
    size,
    fc.boolean(),
  )
  .map(([[verb, where, asked, protocol], [to, who, more, content], bytes, inQuery]) => {
    const line = `${verb.text} ${where.text}${asked.text}`;
    const rest = ` ${protocol.text}\r\n${to.text}${who.text}${more.text}`;
    const fill = 'a'.repeat(Math.max(0, bytes - line.length - rest.length));
    const filled = inQuery
      ? `${line}${asked.text === '' ? '?' : '&'}q=${fill}${rest}`
      : `${line}${rest}${fill === '' ? '' : `X-Fill: ${fill}\r\n`}`;
    // The parser refuses first, then the gateway checks one part after the other.
    const isParsed = verb.text === 'GET' || parsedMethods.includes(verb.text);
    const deciding = [
      ...(isParsed ? [] : [verb]),
      ...(bytes > 10_240 ? [{ statuses: [431] }] : []),
      ...(protocol.text === 'HTTP/1.0' ? [] : [to]),
      ...[verb, where, who, asked],
    ].find(({ statuses }) => statuses !== undefined);
    const isRefused =
      !isParsed || bytes > 10_240 || (protocol.text === 'HTTP/1.1' && to.statuses !== undefined);
    return {
      method: verb.text,
      closes: isRefused || protocol.text === 'HTTP/1.0' || more.text === 'Connection: close\r\n',
      text: filled + content.text,
      statuses: deciding?.statuses ?? [200],
      ...(asked.limit !== undefined && { limit: asked.limit }),
    };
  });

/**
 * Requests on one connection. Node refuses those after one that closes it, before it responds to that one.
 */
export const oddRequests: fc.Arbitrary<readonly RawRequest[]> = fc.oneof(
  fc.tuple(oddRequest),
  fc.array(
    oddRequest.filter(({ closes }) => !closes),
    { minLength: 2, maxLength: 4 },
  ),
);

const edit = fc.constantFrom(
  ...['', '\r\n', '\r\n\r\n', '\r\n folded', ...'\0 \r \n \t : # ? \v \x7f \xff'.split(' '), ' '],
  ...['Host: b\r\n', ': x\r\n', 'GET /\r\n', 'GET / HTTP/1.1\r\n', 'HTTP/1.1', 'HTTP/2.0', '{token}'],
  ...['3', '-1', '3, 4', 'x'].map((length) => `Content-Length: ${length}\r\n`),
  ...['chunked', 'x, chunked', 'chunked, x'].map((coding) => `Transfer-Encoding: ${coding}\r\n`),
  'Transfer-Encoding : chunked\r\n',
);

/** A request with changed bytes, which HTTP mostly does not allow. */
export const brokenRequest: fc.Arbitrary<string> = fc
  .tuple(
    oddRequest.filter(({ method: verb }) => verb !== 'HEAD'),
    // Half of the changes are at the ends of lines and at colons.
    fc.array(fc.tuple(fc.nat(), fc.boolean(), fc.nat({ max: 3 }), edit), { minLength: 1, maxLength: 3 }),
  )
  .map(([{ text: whole }, changes]) =>
    changes.reduce((changed, [seed, atSyntax, skipped, inserted]) => {
      const syntax = [...changed.matchAll(/\r\n|: | /g)].map(({ index }) => index);
      const places = atSyntax && syntax.length > 0 ? syntax : Array.from(changed, (_, index) => index);
      const place = places[seed % places.length] ?? 0;
      return changed.slice(0, place) + inserted + changed.slice(place + skipped);
    }, whole),
  );

/** The beginning of a request. */
export const halfRequest: fc.Arbitrary<string> = fc
  .tuple(oddRequest, fc.nat())
  .map(([{ text: whole }, seed]) => whole.slice(0, seed % whole.length));
