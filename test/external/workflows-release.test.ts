import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkout, newFolder, runnerEnvironment } from './workflow-runner.ts';
import { jobOf, readWorkflow, runSteps, type StepResult } from './workflow.ts';

const release = readWorkflow('release');
const commit = 'c0ffee'.padEnd(40, '0');
const withVersion = z.object({ version: z.string() });
const { version } = withVersion.parse(JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')));

/** A repository with this project's files of a release, and a stand-in for `gh` that records its parameters. */
let folder = '';
let temporary = '';
const git = (...parameters: readonly string[]): void => {
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...parameters], {
    cwd: folder,
  });
};
beforeEach(() => {
  folder = newFolder();
  temporary = newFolder();
  mkdirSync(join(folder, '.github'));
  for (const file of ['package.json', 'package-lock.json', 'CHANGELOG.md', '.npmrc', '.github/release.sh']) {
    copyFileSync(join(checkout, file), join(folder, file));
  }
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '--message', 'All');
  writeFileSync(
    join(temporary, 'gh'),
    '#!/usr/bin/env bash\n[[ $1 != run ]] || echo "$PASSED"\n[[ $1 != release ]] || printf "%s\\0" "$@" >"$RUNNER_TEMP/created"\n',
  );
  chmodSync(join(temporary, 'gh'), 0o755);
});
afterEach(() => {
  for (const each of [folder, temporary]) rmSync(each, { recursive: true });
});

const run = async (environment: Readonly<Record<string, string>> = {}): Promise<StepResult> => {
  const [result, ...others] = await runSteps(release, jobOf(release, 'release'), {
    folder,
    temporary,
    environment: {
      ...runnerEnvironment,
      PATH: `${temporary}${delimiter}${runnerEnvironment.PATH}`,
      GITHUB_REF: 'refs/heads/main',
      GITHUB_SHA: commit,
      PASSED: '1',
      ...environment,
    },
    expressions: { 'github.token': 'token' },
  });
  if (result === undefined || others.length > 0) throw new Error('The job has not one command.');
  return result;
};

const change = (file: string, find: string | RegExp, replacement: string): void => {
  const text = readFileSync(join(folder, file), 'utf8');
  writeFileSync(join(folder, file), text.replace(find, replacement));
};

describe('CHANGELOG.md', () => {
  it('begins with changes that are not released yet, then the version of package.json and package-lock.json', () => {
    const text = readFileSync(join(checkout, 'CHANGELOG.md'), 'utf8');
    const [first, second] = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect([first, second]).toEqual([
      '[Unreleased]',
      expect.stringMatching(/^\[[\d.]+\] - \d{4}-\d\d-\d\d$/),
    ]);
    expect(second).toContain(`[${version}] `);
    const lock = withVersion.parse(JSON.parse(readFileSync(join(checkout, 'package-lock.json'), 'utf8')));
    expect(lock.version).toBe(version);
  });
});

describe('release.yml', () => {
  it('tags the commit with the version of package.json, and publishes the notes of this version', async () => {
    const notes = '\n\n### Added\n\n- `GET /plants`\n\n';
    change('CHANGELOG.md', `## [${version}]`, `## [99.0.0] - 2026-12-01\n\nLater.\n\n$&`);
    change('CHANGELOG.md', new RegExp(`(?<=## \\[${version}\\] - [\\d-]+)\n[^]*?(?=\n\\[|## )`), notes);
    change('CHANGELOG.md', '\n[Unreleased]:', '\n## [0.9.0] - 2026-01-01\n\nEarlier.\n\n$&');
    const { ok, output } = await run();
    expect([ok, output]).toEqual([true, '']);
    const [, , tag, ...others] = readFileSync(join(temporary, 'created'), 'utf8').split('\0');
    expect([tag, others.slice(0, 5)]).toEqual([
      'v1.0.0',
      ['--target', commit, '--title', 'v1.0.0', '--notes'],
    ]);
    expect(others[5]).toMatch(/^\s*### Added\n\n- `GET \/plants`/);
    expect(others[5]).not.toMatch(/Later|Earlier|^## |^\[/m);
  });

  it('adds a bill of materials with every package of the lock file, and tells those that are deployed', async () => {
    await run();
    const packages = z.looseObject({ dev: z.boolean().optional() });
    const lock = z
      .object({ packages: z.record(z.string(), packages) })
      .parse(JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')));
    const { components } = z
      .object({
        bomFormat: z.literal('CycloneDX'),
        components: z.array(
          z.object({ name: z.string(), properties: z.array(z.object({ name: z.string() })) }),
        ),
      })
      .parse(JSON.parse(readFileSync(join(temporary, `plant-store-${version}.cdx.json`), 'utf8')));
    const isDeployed = ({ properties }: (typeof components)[number]): boolean =>
      properties.every(({ name }) => name !== 'cdx:npm:package:development');
    const names = Object.keys(lock.packages).flatMap((path) => path.split('node_modules/').slice(-1));
    expect(new Set(components.map(({ name }) => name))).toEqual(new Set(names.filter((name) => name !== '')));
    expect(components.filter(isDeployed).map(({ name }) => name)).toEqual(
      Object.entries(lock.packages).flatMap(([path, { dev = false }]) =>
        path === '' || dev ? [] : path.replace('node_modules/', ''),
      ),
    );
  });

  it.each<readonly [what: string, given: () => Readonly<Record<string, string>> | undefined, says: RegExp]>([
    [
      'a tag that exists',
      () => {
        git('tag', `v${version}`);
        return undefined;
      },
      /The tag v\S+ exists already: .*package\.json.*CHANGELOG\.md/,
    ],
    ['another branch than main', () => ({ GITHUB_REF: 'refs/heads/other' }), /main.*refs\/heads\/other/],
    ['a commit that has not passed CI', () => ({ PASSED: '0' }), new RegExp(`CI .*${commit}`)],
    [
      'a version that CHANGELOG.md does not name',
      () => {
        change('package.json', /"version": "[^"]+/, '"version": "1.0');
        return undefined;
      },
      /CHANGELOG\.md .*## \[1\.0\] /,
    ],
    [
      'a version without notes',
      () => {
        change('CHANGELOG.md', /(## \[\d.*\n)[^]*?(?=\n\[|\n## )/, '$1');
        return undefined;
      },
      /CHANGELOG\.md .*## \[1\.0\.0\] /,
    ],
  ])('refuses %s in one sentence, and releases nothing', async (_, given, says) => {
    const { ok, output } = await run(given());
    expect([ok, output]).toEqual([false, expect.stringMatching(/^::error::[^\n]+\.\n$/)]);
    expect(output).toMatch(says);
    expect(existsSync(join(temporary, 'created'))).toBe(false);
  });
});
