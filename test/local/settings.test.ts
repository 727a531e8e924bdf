import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listen, loopback, portFrom } from '../../local/server/ports.ts';
import { endpointFrom } from '../../terminal/aws-endpoint.ts';
import { readService } from '../../terminal/local-service.ts';
import { fillTable } from '../../local/store/fill-table.ts';
import { UserError } from '../../terminal/user-error.ts';
import { unusedUrl } from '../support/loopback-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('npm start refuses', () => {
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
    [
      'an address that is a name',
      '0',
      'plants.example.com',
      /^ADDRESS must be an IPv4 address, but is "plants\.example\.com"\./,
    ],
    [
      'an empty address',
      '0',
      '',
      /^ADDRESS must be an IPv4 address, but is ""\. .* docker0, start Docker first\.$/,
    ],
  ])('%s, and says what to set', async (_, port, address, message) => {
    vi.stubEnv('PORT', port);
    const refused = listen(createServer(), portFrom('PORT'), address);
    await expect(refused).rejects.toThrow(UserError);
    await expect(refused).rejects.toThrow(message);
  });

  it('the address of a store without http://, and says how it must begin', () => {
    vi.stubEnv('STORE', 'localhost:8000');
    const read = (): unknown => endpointFrom('STORE');
    expect(read).toThrow(UserError);
    expect(read).toThrow(/^STORE must be an address that begins with http:.*"localhost:8000"\.$/);
  });

  it('a store that does not respond, and says to start it or to unset its address', async () => {
    const endpoint = unusedUrl();
    await expect(fillTable(endpoint, 'plants')).rejects.toThrow(
      new UserError(
        `The store at ${endpoint} does not work (ECONNREFUSED). ` +
          'Start it, or unset AWS_ENDPOINT_URL_DYNAMODB to use the embedded one.',
      ),
    );
  });
});

it.each(['', '{', '{}', '{"issuer":1}'])('a damaged service file counts as missing: %s', (content) => {
  const file = join(temporaryFolder(), 'service.json');
  writeFileSync(file, content);
  expect(readService(file)).toBeUndefined();
});
