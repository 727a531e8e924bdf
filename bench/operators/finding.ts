import { measureProcess } from '../measured-process.ts';
import { plantsIn } from './commands.ts';
import { countingProxy, type Reads } from './counting-proxy.ts';
import { everywhere, sharedBy50 } from './rows.ts';
import { type Cost, scan } from './store.ts';

interface Found extends Reads {
  readonly command: string;
  readonly seconds: number;
  readonly peakMegabytes: number;
}

/** What commands that take an id read, beside the scan that was needed without the index. */
export const measureFinding = async (
  endpoint: string,
): Promise<{ readonly scan: Cost; readonly commands: readonly Found[] }> => {
  const proxy = await countingProxy(endpoint);
  const commands: Found[] = [];
  for (const [command, grants, parameters] of [
    ['who', '50 grants', [sharedBy50]],
    ['who', '10,000 grants', [everywhere]],
    ['grant', '50 grants', [sharedBy50, '--to', 'user:new']],
    ['grant', '10,000 grants', [everywhere, '--to', 'user:new']],
    ['remove', '51 grants', [sharedBy50]],
    ['remove', '10,001 grants', [everywhere]],
  ] as const) {
    const result = await measureProcess(plantsIn(proxy.endpoint, 'plants', command, parameters));
    const { code, seconds, peakMegabytes, messages } = result;
    if (code !== 0) throw new Error(messages.join('\n'));
    commands.push({ command: `${command}, ${grants}`, seconds, peakMegabytes, ...proxy.counted() });
  }
  proxy.close();
  const former = await scan(endpoint, 'plants', {
    FilterExpression: 'contains(sortKey, :end)',
    ExpressionAttributeValues: { ':end': { S: `\u0000${sharedBy50}` } },
  });
  return { scan: former, commands };
};
