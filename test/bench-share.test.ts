import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeCpuShare } from '../bench/share/cpu-share.ts';
import { parseSizes } from '../bench/share/memory-sizes.ts';

describe('the benchmark’s option --sizes', () => {
  it('takes memory sizes that Lambda has, each once', () => {
    expect(parseSizes('128,1769,10240,128')).toEqual({
      list: [128, 1769, 10_240],
      authorizer: [128, 1769, 10_240],
    });
  });

  it.each(['', '127', '10241', '512,64', '512,', '512.5', '0512', '1e3', '-512', '512 MB', '512;1024'])(
    'refuses “%s”',
    (text) => {
      expect(parseSizes(text)).toBeUndefined();
    },
  );
});

describe('the benchmark’s control groups', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'plant-store-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });
  const group = `plant-store-${String(process.pid)}-512`;

  /** Makes the group, and reads what it wrote. The kernel would remove the files with the group. */
  const written = (folders: Parameters<typeof makeCpuShare>[1], path: string, files: readonly string[]) => {
    const share = makeCpuShare(512, folders);
    const texts = files.map((file) => readFileSync(join(path, group, file), 'utf8'));
    for (const file of files) rmSync(join(path, group, file));
    share?.end();
    return texts;
  };

  it('give 512 MB of 1,769 MB of each 20 ms in version 2', () => {
    const folders = { version1: join(folder, 'cpu'), version2: folder };
    expect(written(folders, folder, ['cpu.max'])).toEqual(['5789 20000']);
  });

  it('give the same in version 1, if the machine has it', () => {
    const version1 = join(folder, 'cpu');
    mkdirSync(version1);
    expect(
      written({ version1, version2: folder }, version1, ['cpu.cfs_quota_us', 'cpu.cfs_period_us']),
    ).toEqual(['5789', '20000']);
  });

  it('are not made, and nothing is left, where this user cannot make one', () => {
    const version2 = join(folder, 'file');
    writeFileSync(version2, '');
    expect(makeCpuShare(512, { version1: join(folder, 'cpu'), version2 })).toBeUndefined();
    expect(process.listeners('exit').map(({ name }) => name)).not.toContain('end');
  });
});
