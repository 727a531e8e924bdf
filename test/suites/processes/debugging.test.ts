import { readFileSync } from 'node:fs';
import { dirname, join, matchesGlob, resolve } from 'node:path';
import {
  generatedPositionFor,
  LEAST_UPPER_BOUND,
  originalPositionFor,
  TraceMap,
} from '@jridgewell/trace-mapping';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseService } from '../../../local/service-file.ts';
import { send } from '../../contract/client.ts';
import { attach, type Debugger, type Session } from '../../support/service/inspector.ts';
import {
  type Command,
  copyProject,
  freePorts,
  npm,
  runCommand,
  signalGroup,
} from '../../support/service/local-service.ts';
import { readDocument } from '../../support/markdown.ts';

const project = copyProject();
const launch = z
  .object({
    configurations: z.tuple([
      z.object({
        type: z.literal('node'),
        request: z.literal('launch'),
        program: z.string(),
        outFiles: z.tuple([z.string()]),
      }),
    ]),
  })
  .parse(JSON.parse(readDocument('.vscode/launch.json').replaceAll('${workspaceFolder}', project.folder)))
  .configurations[0];

const file = join(project.folder, 'functions/plant-store/list-plants.ts');
/** The line of the first statement in the function. */
const line =
  1 +
  readFileSync(file, 'utf8')
    .split('\n')
    .findIndex((text) => text.includes('if (query.limit === 0)'));

const parsedScript = z.object({ scriptId: z.string(), url: z.string(), sourceMapURL: z.string() });
const pause = z.object({
  callFrames: z
    .array(z.object({ location: z.object({ lineNumber: z.number(), columnNumber: z.number() }) }))
    .min(1),
});

/** A bundle in a worker, and its source map. */
interface Bundle {
  readonly scriptId: string;
  readonly map: TraceMap;
}

let command: Command;
let baseUrl = '';
let editor: Debugger;
let bundleOfList: Promise<readonly [Session, Bundle]>;
beforeAll(async () => {
  const [, documented = ''] = /`([^`]*--inspect[^`]*)`/.exec(readDocument('docs/local-service.md')) ?? [];
  expect(join(project.folder, documented.split(' ').at(-1) ?? '')).toBe(launch.program);
  const inspected = documented.replace('--inspect', '--inspect=127.0.0.1:0');
  command = runCommand('sh', project.folder, ['-c', inspected], freePorts);
  await command.printed('Stop with Ctrl-C.');
  const [, url = ''] = /Debugger listening on (\S+)/.exec(command.output()) ?? [];
  ({ baseUrl } = parseService(readFileSync(join(project.folder, '.local/service.json'), 'utf8')));
  const found = Promise.withResolvers<readonly [Session, Bundle]>();
  bundleOfList = found.promise;
  editor = await attach(url, (worker) => {
    worker.events('Debugger.scriptParsed', (parameters) => {
      const script = parsedScript.parse(parameters);
      const path = script.url.replace(/^file:\/\//, '');
      if (!matchesGlob(path, launch.outFiles[0]) || script.sourceMapURL === '') return;
      const mapFile = resolve(dirname(path), script.sourceMapURL);
      const map = new TraceMap(readFileSync(mapFile, 'utf8'), mapFile);
      if (map.resolvedSources.includes(file)) found.resolve([worker, { scriptId: script.scriptId, map }]);
    });
    void worker.send('Debugger.enable');
  });
});
afterAll(async () => {
  editor.close();
  signalGroup(command, 'SIGINT');
  await command.ended;
  project.remove();
});

describe('a debugger of the documented command, with the paths of .vscode/launch.json,', () => {
  it('stops at a breakpoint in the TypeScript source of a function, and continues', async () => {
    const { output } = await npm(project.folder, ['run', '-s', 'token', '--', 'alice']).ended;
    const ask = () => send(baseUrl, '/plants?limit=2', { authorization: `Bearer ${output.trim()}` });
    // Starts the function's worker.
    expect(await ask()).toMatchObject({ status: 200 });

    const [worker, { scriptId, map }] = await bundleOfList;
    const place = generatedPositionFor(map, { source: file, line, column: 0, bias: LEAST_UPPER_BOUND });
    const stopped = Promise.withResolvers<z.infer<typeof pause>>();
    worker.events('Debugger.paused', (parameters) => {
      stopped.resolve(pause.parse(parameters));
    });
    await worker.send('Debugger.setBreakpoint', {
      location: { scriptId, lineNumber: (place.line ?? 0) - 1, columnNumber: place.column },
    });
    const response = ask();
    const [frame] = (await stopped.promise).callFrames;
    expect(
      originalPositionFor(map, {
        line: (frame?.location.lineNumber ?? 0) + 1,
        column: frame?.location.columnNumber ?? 0,
      }),
    ).toMatchObject({ source: file, line });
    await worker.send('Debugger.resume');
    expect(await response).toMatchObject({ status: 200 });
  });
});
