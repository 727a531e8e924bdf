import { getEventListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { storeBounds } from '../../../functions/plant-store/dynamodb-client.ts';
import { closeReused, input, queryAt, storeServer, succeed } from './store-server.ts';

const store = storeServer();
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

it('sends a Query in DynamoDB’s protocol, signed, over the connection of the previous one', async () => {
  const query = queryAt(store.url);
  for (let count = 0; count < 3; count += 1) expect(await query()).toEqual({ Items: [] });
  expect([store.requests.length, store.connections]).toEqual([3, 1]);
  const [{ request, body } = {}] = store.requests;
  expect(JSON.parse(body ?? '')).toEqual(input);
  expect([request?.method, request?.url]).toEqual(['POST', '/']);
  expect(request?.headers.authorization).toContain('AKIDEXAMPLE');
  expect(request?.headers).toMatchObject({
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': 'DynamoDB_20120810.Query',
    'x-amz-security-token': 'session',
    host: store.url.replace('http://', ''),
  });
});

it('leaves no timer and no listener behind', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const query = queryAt(store.url);
  const { signal } = new AbortController();
  // The kept connection has its own timer.
  await query(signal);
  const before = timers();
  for (let count = 0; count < 3; count += 1) await query(signal);
  await nextTurn();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  expect(timers()).toBeLessThanOrEqual(before);
});

it('sends 101 concurrent Queries with one signal over 8 connections, without a warning', async () => {
  const warnings: Error[] = [];
  const collect = (warning: Error): void => void warnings.push(warning);
  process.on('warning', collect);
  let held: ServerResponse[] = [];
  // Responds when all requests have arrived that the connections can carry.
  store.respond = (response) => {
    held.push(response);
    if (held.length < 8 && store.requests.length < 101) return;
    held.forEach(succeed);
    held = [];
  };
  const query = queryAt(store.url);
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 101 }, () => query(signal)));
  await nextTurn();
  process.off('warning', collect);
  expect([warnings, store.requests.length, store.connections]).toEqual([[], 101, 8]);
});

it('allows a Query to wait longer for a connection than a response may take', async () => {
  const query = queryAt(store.url, { connections: 1, attempts: 1, requestTimeout: 500 });
  store.respond = (response) => setTimeout(succeed, 200, response);
  expect(await Promise.all([query(), query(), query(), query()])).toHaveLength(4);
});

it('reads a response that ends with the connection', async () => {
  store.respond = ({ socket }) => socket?.end('HTTP/1.1 200 OK\r\n\r\n{"Items":[]}');
  expect(await queryAt(store.url)()).toEqual({ Items: [] });
});

it('retries over a new connection when no reused connection responds', async () => {
  const query = queryAt(store.url);
  const silent = new Set<unknown>();
  const held: ServerResponse[] = [];
  store.respond = (response) => {
    silent.add(response.socket);
    held.push(response);
    if (held.length === storeBounds.attempts) held.forEach(succeed);
  };
  await Promise.all(Array.from({ length: storeBounds.attempts }, () => query()));
  store.respond = (response) => silent.has(response.socket) || succeed(response);
  expect(await query()).toEqual({ Items: [] });
});

it('resends at once, without counting an attempt, when the store closed the kept connection', async () => {
  const query = queryAt(store.url, { attempts: 1 });
  store.respond = closeReused();
  for (let count = 0; count < 3; count += 1) expect(await query()).toEqual({ Items: [] });
  expect([store.requests.length, store.connections]).toEqual([5, 3]);
});

it('keeps the connection when the signal aborts after the Query has succeeded', async () => {
  const query = queryAt(store.url);
  for (let count = 0; count < 50; count += 1) {
    const request = new AbortController();
    await query(request.signal);
    request.abort();
  }
  expect(store.connections).toBe(1);
});
