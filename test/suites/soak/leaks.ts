import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BundledFunction } from '../../../local/stack/bundle.ts';
import type { Measurement } from './process/measurement.ts';

/** Code of one invocation that leaves something behind, and the measure that shows it. */
export interface Leak {
  readonly what: string;
  readonly code: string;
  readonly measure: keyof Measurement;
  /** How many requests show it. */
  readonly requests: number;
}

export const leaks: readonly Leak[] = [
  { what: 'an array of 100 bytes', code: 'held.push(Array(7).fill(0))', measure: 'heap', requests: 20_000 },
  {
    what: 'a buffer of 100 bytes',
    code: 'held.push(new ArrayBuffer(100))',
    measure: 'heap',
    requests: 20_000,
  },
  { what: 'a timer', code: 'setTimeout(() => {}, 3_600_000)', measure: 'timers', requests: 500 },
  { what: 'a listener', code: "process.on('exit', () => {})", measure: 'listeners', requests: 500 },
  {
    what: 'a listener of one object',
    code: "process.stdin.on('end', () => {})",
    measure: 'warnings',
    requests: 500,
  },
  {
    what: 'a connection',
    code: "held.push(require('node:net').connect(new URL(process.env.JWKS_URI).port))",
    measure: 'sockets',
    requests: 500,
  },
];

/** A function whose every invocation leaks, around the code of another. */
export const leaking = (
  definition: BundledFunction,
  { code }: Leak,
): { readonly definition: BundledFunction; readonly remove: () => void } => {
  const codeFolder = mkdtempSync(join(tmpdir(), 'plant-store-'));
  const [, exportName = ''] = definition.handler.split('.');
  const original = JSON.stringify(join(definition.codeFolder, 'index.js'));
  writeFileSync(
    join(codeFolder, 'index.js'),
    `const { ${exportName}: handler } = require(${original});
const held = [];
exports.${exportName} = (event, context) => {
  ${code};
  return handler(event, context);
};
`,
  );
  return {
    definition: { ...definition, codeFolder, handler: `index.${exportName}` },
    remove: () => {
      rmSync(codeFolder, { recursive: true });
    },
  };
};
