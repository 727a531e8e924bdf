import { createServer } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addressForContainers, listen, loopback } from '../../local/listen.ts';
import { endpointFrom } from '../../local/service-file.ts';
import { fillStore } from '../../local/store/store.ts';
import { UserError } from '../../cli/terminal/user-error.ts';
import { unusedUrl } from '../support/loopback-server.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a setting of npm start that cannot be used is refused in one sentence:', () => {
  it.each([
    ['a port above 65535', '70000', loopback, /^Port 70000 of 127\.0\.0\.1 .+ Set PORT to another one\.$/],
    [
      'a port that is not a number',
      '3,000',
      loopback,
      /^Port 3,000 of 127\.0\.0\.1 .+ Set PORT to another one\.$/,
    ],
    [
      'an address that this machine does not have',
      '0',
      '203.0.113.1',
      /^Port 0 of 203\.0\.113\.1 cannot be used \(EADDRNOTAVAIL\)\. Set PORT or ADDRESS to another one\.$/,
    ],
  ])('%s', async (_, port, address, message) => {
    vi.stubEnv('PORT', port);
    const refused = listen(createServer(), 'PORT', address);
    await expect(refused).rejects.toThrow(UserError);
    await expect(refused).rejects.toThrow(message);
  });

  it.each<[string, string, (name: string) => unknown, RegExp]>([
    ['ADDRESS', 'plants.example.com', addressForContainers, /IPv4 .*"plants\.example\.com"\./],
    ['ADDRESS', '', addressForContainers, /IPv4 .*"".*docker0/],
    ['AWS_ENDPOINT_URL_DYNAMODB', 'localhost:8000', endpointFrom, /https:\/\/.*"localhost:8000"\.$/],
  ])('%s is "%s"', (name, value, read, message) => {
    vi.stubEnv(name, value);
    expect(() => read(name)).toThrow(UserError);
    expect(() => read(name)).toThrow(new RegExp(`^${name} must be .*${message.source}`));
  });

  it('a store that does not respond', async () => {
    const endpoint = await unusedUrl();
    await expect(fillStore(endpoint, 'plants')).rejects.toThrow(
      new UserError(
        `The store at ${endpoint} does not work (ECONNREFUSED). ` +
          'Start it, or unset AWS_ENDPOINT_URL_DYNAMODB to use the embedded one.',
      ),
    );
  });
});
