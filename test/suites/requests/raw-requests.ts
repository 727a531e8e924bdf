import { METHODS } from 'node:http';
import fc from 'fast-check';

const words = (text: string): readonly string[] => text.split(' ');

/** Mostly one of the ordinary texts, so that few parts of a request are unusual at once. */
const mostly = (
  ordinary: readonly string[],
  ...unusual: readonly fc.Arbitrary<string>[]
): fc.Arbitrary<string> =>
  fc.oneof({ arbitrary: fc.constantFrom(...ordinary), weight: 3 * unusual.length }, ...unusual);

const bytes = (from: number, to: number): fc.Arbitrary<string> =>
  fc.integer({ min: from, max: to }).map((code) => String.fromCharCode(code));
const visible = bytes(0x21, 0x7e);
const beyondAscii = bytes(0x80, 0xff);
const textOf = (unit: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit, maxLength });

const method = mostly(
  ['GET'],
  fc.constantFrom(...METHODS.filter((each) => !['CONNECT', 'HEAD'].includes(each))),
  fc.constantFrom(...words("get Get FOO PLANTS GETT !#$%&'*+-.^_`|~")),
);

const path = mostly(
  ['/plants'],
  fc.constantFrom(
    ...words('/ // //plants /plants/ /./plants /plants/. /x/../plants /%70lants /plants%2e /plants%00'),
    ...words('/PLANTS /plants;a=b /plants% /%2e%2e/etc/passwd * http://x/plants'),
  ),
  textOf(visible, 60).map((tail) => `/plants${tail}`),
);

const cursor = 'Jf453kZpZGRsZS1sZWFmIGZpZwBhMDc';
const escape = fc.constantFrom(...words('% %z %zz %0 %00 %ff %c3%28 %u0041 %25 + ; && =='));
const parameter = fc
  .tuple(
    fc.constantFrom('limit', 'cursor', 'Limit', '%6cimit', 'limit[]', '', 'q'),
    fc.oneof(fc.constantFrom('1', cursor), escape, textOf(visible, 40), textOf(visible, 1500)),
  )
  .map((pair) => pair.join('='));
const query = mostly(
  ['', '?', '?limit=2', `?limit=2&cursor=${cursor}`],
  fc.constantFrom(
    ...words('??limit=x ?&& ?limit=%31 ?q=%zz&q ?limit ?limit= ?limit=1&limit=1 ?limit=+1 ?cursor=%ff'),
  ),
  fc.array(parameter, { minLength: 1, maxLength: 3 }).map((each) => `?${each.join('&')}`),
);

const host = mostly(['Host: plants.example\r\n', 'hOsT:plants.example \r\n', 'Host:\r\n'], fc.constant(''));
const credentials = mostly(
  ['Authorization: Bearer {token}\r\n', 'AUTHORIZATION:bEARER   {token} \t\r\n'],
  fc.constantFrom(
    '',
    'Authorization:\r\n',
    'Authorization: {token}\r\n',
    'Authorization: Bearer {token}x\r\n',
  ),
  fc.constant('Authorization: Bearer {token}\r\nauthorization: Bearer {token}\r\n'),
  textOf(fc.oneof(visible, beyondAscii), 60).map((value) => `Authorization: Bearer ${value}\r\n`),
);
const otherHeaders = mostly(
  ['', 'Accept-Encoding: br;q=x,,\r\nAccept-Encoding: gzip\r\n'],
  fc
    .tuple(
      fc.constantFrom(...words('Accept Accept-Encoding Cookie Origin Range If-None-Match Forwarded X')),
      textOf(fc.oneof(visible, beyondAscii, fc.constantFrom(' ', '\t', ',', ';', '"')), 60),
    )
    .map(([name, value]) => `${name}: ${value}\r\n`),
  fc.constantFrom('X-HTTP-Method-Override: DELETE\r\n', 'X-Original-URL: /\r\n', 'Upgrade: h2c\r\n'),
  fc.integer({ min: 100, max: 700 }).map((count) => 'a:\r\n'.repeat(count)),
  // Below and above an HTTP API's quota of 10,240 bytes.
  fc.integer({ min: 8000, max: 20_000 }).map((size) => `X-Fill: ${'a'.repeat(size)}\r\n`),
);
const body = mostly(
  ['\r\n'],
  fc.constantFrom(
    'Content-Length: 4\r\nContent-Type: application/json\r\n\r\nnull',
    'Transfer-Encoding: chunked\r\n\r\n4;x=y\r\n\r\n\r\n\r\n0\r\nA: b\r\n\r\n',
  ),
);
const version = fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0');

/** A request as it is sent, one character per byte; the server then closes. `{token}` is a valid token. */
export const unusualRequest: fc.Arbitrary<string> = fc
  .tuple(method, path, query, version, host, credentials, otherHeaders, body)
  .map(
    ([verb, where, asked, protocol, ...rest]) =>
      `${verb} ${where}${asked} ${protocol}\r\nConnection: close\r\n${rest.join('')}`,
  );

/** The beginning of a request. */
export const halfRequest: fc.Arbitrary<string> = fc
  .tuple(unusualRequest, fc.nat())
  .map(([whole, seed]) => whole.slice(0, seed % whole.length));
