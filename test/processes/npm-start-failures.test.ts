import { writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import dynalite from 'dynalite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listen } from '../../local/listen.ts';
import { send } from '../contract/client.ts';
import { ownLines } from '../support/lines.ts';
import { copyProject, freePorts, npm, type ProjectCopy, startService } from '../support/local-service.ts';

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

describe('npm start says in one line', () => {
  it.each(['PORT', 'STORE_PORT', 'ISSUER_PORT'])('that %s is in use', async (variable) => {
    const other = createHttpServer();
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

  it('that the store in AWS_ENDPOINT_URL_DYNAMODB does not answer', async () => {
    expect(await failedStart({ AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1' })).toMatch(
      /^The store at http:\/\/127\.0\.0\.1:1 /,
    );
  });
});

describe('npm start with another store', () => {
  it('gives error 2001 while the store refuses or does not answer, and plants again afterwards', async () => {
    const store = dynalite({ createTableMs: 0 });
    const storePort = await listen(store, 0, 'STORE_PORT');
    const link = await tcpLink(storePort);
    const service = await startService(project, {
      AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${String(link.port)}`,
    });
    try {
      expect(service.storeEndpoint).toBe(`http://127.0.0.1:${String(link.port)}`);
      const { output } = await npm(project.folder, ['run', '-s', 'token', '--', 'alice']).ended;
      const ask = () =>
        send(service.baseUrl, '/plants', { authorization: `Bearer ${ownLines(output)[0] ?? ''}` });
      expect(await ask()).toMatchObject({ status: 200 });
      for (const trouble of ['refuse', 'silence'] as const) {
        link.set(trouble);
        expect(await ask(), trouble).toMatchObject({
          status: 400,
          headers: { 'retry-after': '1' },
          body: { error: 2001 },
        });
        link.set('pass');
        expect(await ask()).toMatchObject({ status: 200 });
      }
      const logged = service.command.output();
      expect(logged).toMatch(/"event":"request-failed","error":2001,"cause":"/);
      expect(logged).not.toMatch(/user#|alice"/);
    } finally {
      await service.stop();
      link.close();
      store.closeAllConnections();
      store.close();
    }
  });
});

interface TcpLink {
  readonly port: number;
  readonly set: (mode: 'pass' | 'refuse' | 'silence') => void;
  readonly close: () => void;
}

/** A connection between the function and the store that can refuse, or never answer. */
const tcpLink = async (target: number): Promise<TcpLink> => {
  let mode: 'pass' | 'refuse' | 'silence' = 'pass';
  const sockets = new Set<Socket>();
  const server: Server = createServer((near) => {
    sockets.add(near.on('error', () => undefined));
    if (mode === 'refuse') near.resetAndDestroy();
    if (mode !== 'pass') return;
    const far = connect(target, '127.0.0.1');
    sockets.add(far.on('error', () => undefined));
    near.pipe(far).pipe(near);
  });
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (typeof address === 'object' && address !== null) resolve(address.port);
    });
  });
  return {
    port,
    set: (next) => {
      mode = next;
      cut();
    },
    close: () => {
      cut();
      server.close();
    },
  };
};
