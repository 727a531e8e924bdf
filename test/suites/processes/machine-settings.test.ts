import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { projectFiles, readProjectFile } from '../../support/project-files.ts';
import { runCommand } from '../../support/service/command.ts';
import { copyProject } from '../../support/service/project-copy.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('npm ci, with the settings of this project,', () => {
  const project = temporaryFolder();
  const { preinstall } = z
    .object({ scripts: z.object({ preinstall: z.string() }) })
    .parse(JSON.parse(readProjectFile('package.json'))).scripts;
  const write = (path: string, content: object | string): void => {
    writeFileSync(join(project, path), typeof content === 'string' ? content : JSON.stringify(content));
  };
  mkdirSync(join(project, 'bin'));
  for (const file of ['.npmrc', 'bin/refuse-linked']) copyFileSync(file, join(project, file));
  for (const name of ['development', 'optional', 'peer']) {
    mkdirSync(join(project, name));
    write(`${name}/package.json`, { name, version: '1.0.0', bin: 'main.js' });
    write(`${name}/main.js`, '#!/usr/bin/env node\n');
  }
  write('package.json', {
    name: 'project',
    version: '1.0.0',
    engines: { node: '>=99' },
    scripts: { preinstall, install: 'touch installed' },
    devDependencies: { development: 'file:development' },
    optionalDependencies: { optional: 'file:optional' },
    peerDependencies: { peer: 'file:peer' },
  });
  execFileSync('npm', ['install', '--package-lock-only'], { cwd: project });

  /** Runs `npm ci` with a user's configuration file and with environment variables. */
  const install = (userNpmrc: string, variables: Readonly<Record<string, string>>) => {
    write('user.npmrc', userNpmrc);
    execFileSync('rm', ['-rf', 'node_modules', 'installed'], { cwd: project });
    const env = {
      PATH: process.env['PATH'],
      NPM_CONFIG_USERCONFIG: join(project, 'user.npmrc'),
      ...variables,
    };
    return spawnSync('npm', ['ci'], { cwd: project, env, encoding: 'utf8' });
  };

  it.each<[setting: string, userNpmrc: string, variables: Readonly<Record<string, string>>]>([
    [
      'the user’s .npmrc omits packages and scripts',
      'omit[]=dev\nomit[]=optional\nomit[]=peer\nignore-scripts=true\nengine-strict=true',
      {},
    ],
    ['the user’s .npmrc has production=true', 'production=true', {}],
    ['variables omit packages', '', { NODE_ENV: 'production', npm_config_omit: 'dev' }],
    [
      'package-lock, bin-links and others are changed',
      'package-lock=false\nlegacy-peer-deps=true\nbin-links=false\nscript-shell=bash\nprefer-offline=true',
      {},
    ],
    ['another layout of node_modules is set', 'global-style=true', { npm_config_install_strategy: 'nested' }],
  ])('installs every package and runs install scripts although %s', (_, userNpmrc, variables) => {
    expect(install(userNpmrc, variables)).toMatchObject({ status: 0 });
    const packages = ['development', 'optional', 'peer'].map((name) => `node_modules/.bin/${name}`);
    for (const path of [...packages, 'installed']) expect(existsSync(join(project, path)), path).toBe(true);
  });

  it.each<[place: string, userNpmrc: string, variables: Readonly<Record<string, string>>]>([
    ['the user’s .npmrc', 'install-strategy=linked', {}],
    ['a variable', '', { npm_config_install_strategy: 'linked' }],
  ])(
    'refuses install-strategy=linked in %s, and names the variable with which npm ci works',
    (_, userNpmrc, variables) => {
      const { status, stderr } = install(userNpmrc, variables);
      expect([status, stderr]).toEqual([
        1,
        expect.stringMatching(/^npm error npm cannot .*=hoisted npm ci\.$/m),
      ]);
      expect(install(userNpmrc, { npm_config_install_strategy: 'hoisted' })).toMatchObject({ status: 0 });
    },
  );
});

it('Git checks out no file with CRLF although core.autocrlf is set', () => {
  const repository = temporaryFolder();
  const git = (...parameters: readonly string[]): string =>
    execFileSync('git', ['-C', repository, '-c', 'core.autocrlf=true', ...parameters], { encoding: 'utf8' });
  git('init', '--quiet');
  for (const file of projectFiles()) {
    mkdirSync(join(repository, file, '..'), { recursive: true });
    copyFileSync(file, join(repository, file));
  }
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Copy the project');
  git('rm', '--quiet', '-r', '.');
  git('reset', '--quiet', '--hard');
  const endings = git('ls-files', '--eol').split('\n');
  expect(endings.length).toBeGreaterThan(100);
  expect(endings.filter((line) => line.includes('w/crlf'))).toEqual([]);
});

it('tests pass in a Git hook with AWS and proxy settings, and do not write the hook’s index', () => {
  const home = temporaryFolder();
  writeFileSync(join(home, '.gitconfig'), '[commit]\ngpgSign = true\n[core]\nhooksPath = .\n');
  writeFileSync(join(home, 'pre-commit'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  execFileSync('git', ['init', '--quiet', home]);
  const hook = { GIT_DIR: join(home, '.git'), GIT_INDEX_FILE: join(home, 'index'), GIT_WORK_TREE: home };
  const aws = {
    AWS_PROFILE: 'nowhere',
    AWS_REGION: '',
    AWS_USE_FIPS_ENDPOINT: 'true',
    AWS_ENDPOINT_URL: 'x',
  };
  const proxy = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:1' };
  const otherSettings = {
    FORCE_COLOR: '1',
    DEBUG: '1',
    REQUIRED_SCOPE: 'a',
    NODE_ENV: 'production',
    PORT: 'a',
  };
  const files = [
    'infra/commit',
    'local/gateway',
    'unit/authorizer/handler',
    'unit/plant-store/dynamodb-plant',
  ];
  const run = ['run', '--reporter=dot', ...files.map((file) => `test/${file}`)];
  const env = { PATH: process.env['PATH'], HOME: home, ...hook, ...aws, ...proxy, ...otherSettings };
  execFileSync('node_modules/.bin/vitest', run, { env, stdio: 'pipe' });
  expect(existsSync(hook.GIT_INDEX_FILE)).toBe(false);
});

/** Content that fails the checks of types, lint and format, and the tests of documents. */
const invalidContent = `const   a:number = 'a'; // ${'[npm run nothing](nowhere.md) '.repeat(9)}\n`;
const projectFolders = ['', 'functions/http', 'infra', 'test/unit', 'docs', '.github/workflows', '.vscode'];
/** Folders of tools, which can contain other checkouts. */
const toolFolders = [
  '.claude/worktrees/x',
  '.worktrees/x',
  'worktrees/x',
  '.idea',
  '.direnv',
  '.venv',
  'venv',
];
/** Backups and swap files of editors. */
const editorFiles = ['._x.ts', '._x.test.ts', '._x.md', '.x.ts.swp', 'x.ts~', 'x.md.orig', '#x.md#'];
/** Links without a target, by which an editor marks a file as open. */
const editorLocks = ['.#x.ts', '.#x.test.ts', '.#x.md'];
/** Files of operating systems, and settings of developers. */
const machineFiles = ['.DS_Store', 'Thumbs.db', '.env', '.env.local', '.envrc', 'settings.json'];
/** The files that commands in the documents tell readers to write. */
const documentedOutputs = [
  ...[
    'everything.ndjson',
    'plants.ndjson',
    'revoked.ndjson',
    'gardeners.ndjson',
    'plants.csv',
    'plants.json',
  ],
  ...['results.json', 'plant-store.cdx.json', 'plant-store.d.ts'],
];

it('npm run check and test:run ignore files of tools, editors and documented commands', async () => {
  const project = copyProject();
  const write = (folder: string, file: string): void => {
    mkdirSync(join(project.folder, folder), { recursive: true });
    writeFileSync(join(project.folder, folder, file), invalidContent);
  };
  for (const toolFolder of toolFolders)
    for (const folder of projectFolders)
      for (const file of ['x.ts', 'x.test.ts', 'x.md', 'x.json']) write(join(toolFolder, folder), file);
  for (const folder of projectFolders) {
    for (const file of editorFiles) write(folder, file);
    for (const file of editorLocks) symlinkSync('user@host.1:1', join(project.folder, folder, file));
  }
  for (const file of machineFiles) write('.vscode', file);
  for (const file of documentedOutputs) write('', file);
  // Nix makes `result`, a link to the folder with the result of a build.
  const buildFolder = temporaryFolder();
  writeFileSync(join(buildFolder, 'x.ts'), invalidContent);
  symlinkSync(buildFolder, join(project.folder, 'result'));

  for (const script of ['check', 'test:run -- test/docs.test.ts test/unit']) {
    const { code, output } = await runCommand('npm', project.folder, ['run', ...script.split(' ')]).ended;
    expect(code, output).toBe(0);
  }
  project.remove();
});
