import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import dynalite from 'dynalite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listen } from '../../local/listen.ts';
import { send } from '../contract/client.ts';
import { ownLines } from '../support/lines.ts';
import {
  copyProject,
  freePorts,
  npm,
  type ProjectCopy,
  startService,
} from '../support/service/local-service.ts';

let project: ProjectCopy;
beforeEach(() => {
  project = copyProject();
});
afterEach(() => {
  project.remove();
});

const failedStart = async (environment: Readonly<Record<string, string>> = {}): Promise<string> => {
  const { code, output } = await npm(project.folder, ['start'], { ...freePorts, ...environment }).ended;
  expect(code, output).toBe(1);
  const lines = ownLines(output);
  expect(lines, output).toHaveLength(1);
  return lines[0] ?? '';
};

describe('npm start reports in one line', () => {
  it.each(['PORT', 'STORE_PORT', 'ISSUER_PORT'])('that %s is in use', async (variable) => {
    const other = createServer();
    const port = String(await listen(other, 0, variable));
    try {
      expect(await failedStart({ [variable]: port })).toMatch(
        new RegExp(`^Port ${port} is in use\\. .*${variable}\\b`),
      );
    } finally {
      other.close();
    }
  });

  it('that PORT is not a port', async () => {
    expect(await failedStart({ PORT: '70000' })).toMatch(/^PORT .*0 to 65535.*"70000"/);
  });

  it.each(['plants.example.com', '203.0.113.1'])(
    'that ADDRESS is %s, not one of this machine',
    async (address) => {
      expect(await failedStart({ ADDRESS: address })).toMatch(/^ADDRESS .*IPv4 .*"/);
    },
  );

  it('that cdk.out cannot be written', async () => {
    writeFileSync(join(project.folder, 'cdk.out'), '');
    expect(await failedStart()).toMatch(/cdk\.out .*folder/);
  });

  it('that a function does not parse, and where', async () => {
    project.edit(
      'functions/list-plants/http/limit.ts',
      'export const parseLimit',
      'export const const parseLimit',
    );
    expect(await failedStart()).toMatch(/functions\/list-plants\/http\/limit\.ts:\d+:\d+: /);
  });

  it('that the store in AWS_ENDPOINT_URL_DYNAMODB does not respond', async () => {
    expect(await failedStart({ AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1' })).toMatch(
      /^The store at http:\/\/127\.0\.0\.1:1 /,
    );
  });
});

describe('npm start with another store', () => {
  it('gives error 2001 while the store refuses or does not respond, and plants again afterwards', async () => {
    const store = dynalite({ createTableMs: 0 });
    let trouble: 'refuses' | 'does not respond' | undefined;
    const link = createServer((request, response) => {
      if (trouble === undefined) store.emit('request', request, response);
      else if (trouble === 'refuses') request.socket.resetAndDestroy();
    });
    const endpoint = `http://127.0.0.1:${String(await listen(link, 0, 'STORE_PORT'))}`;
    const service = await startService(project, { AWS_ENDPOINT_URL_DYNAMODB: endpoint });
    try {
      expect(service.storeEndpoint).toBe(endpoint);
      const { output } = await npm(project.folder, ['run', '-s', 'token', '--', 'alice']).ended;
      const ask = () =>
        send(service.baseUrl, '/plants', { authorization: `Bearer ${ownLines(output)[0] ?? ''}` });
      expect(await ask()).toMatchObject({ status: 200 });
      for (const each of ['refuses', 'does not respond'] as const) {
        trouble = each;
        expect(await ask(), trouble).toMatchObject({
          status: 400,
          headers: { 'retry-after': '1' },
          body: { error: 2001 },
        });
        trouble = undefined;
        expect(await ask()).toMatchObject({ status: 200 });
      }
      const logged = service.command.output();
      expect(logged).toMatch(/"event":"request-failed","error":2001,"cause":"/);
      expect(logged).not.toMatch(/user#|alice"/);
    } finally {
      await service.stop();
      link.closeAllConnections();
      link.close();
    }
  });
});
