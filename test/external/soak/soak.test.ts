import type { Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readStack } from '../../../local/stack/read-stack.ts';
import type { FunctionDefinition, Stack } from '../../../local/stack/stack.ts';
import { copyProject, type LocalService, startService } from '../../support/local-service.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';
import { faultyStore } from './faulty-store.ts';
import { startFunction } from './function-process.ts';
import { listFunction } from './list-function.ts';
import { soak, medians, most } from './soak.ts';

const requests = Number(process.env['SOAK_REQUESTS'] ?? 20_000);

describe('x', () => {
  const project = copyProject();
  let service: LocalService;
  let stack: Stack;
  beforeAll(async () => {
    service = await startService(project);
    stack = readStack(join(project.folder, 'cdk.out'), 'PlantStore-local');
  });
  afterAll(async () => {
    await service.stop();
    project.remove();
  });
  const definitionOf = (variable: string): FunctionDefinition => {
    const found = stack.functions.find(({ environment }) => variable in environment);
    if (found === undefined) throw new Error(`No function has ${variable}.`);
    return found;
  };

  it('list', { timeout: 3_600_000 }, async () => {
    const store = faultyStore();
    const f = startFunction(definitionOf('TABLE_NAME'), { AWS_ENDPOINT_URL_DYNAMODB: await startServer(store) });
    try {
      const run = await soak(listFunction(f), { requests, callers: 1 });
      console.log(run.seconds, run.parts.map((p) => [p.rss, p.rssWithGarbage, p.heap].map(x=>(x/1e6).toFixed(2)).join(' ')+` ${p.sockets} ${p.timers} ${p.listeners} ${p.warnings}`).join('\n'));
      console.log(Object.entries((globalThis as any).T).sort((a:any,b:any)=>b[1]-a[1]).map(([k,v]:any)=>v.toFixed(0)+' '+k).join('\n'));
      console.log(medians(run, 'rss'), medians(run, 'heap'), most(run, 'sockets'));
    } finally {
      await f.end();
      await stopServer(store);
    }
  });
});
