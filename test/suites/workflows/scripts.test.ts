import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startFakeServer } from '../../support/fake-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runTool } from '../tool.ts';

const scripts = fileURLToPath(new URL('../../../.github', import.meta.url));
const folder = temporaryFolder();

/** A PATH on which a script replaces a command. */
const pathWith = (command: string, script: string): string => {
  const bin = mkdtempSync(join(folder, 'bin-'));
  writeFileSync(join(bin, command), `#!/usr/bin/env bash\n${script}\n`, { mode: 0o755 });
  return `${bin}${delimiter}${process.env['PATH'] ?? ''}`;
};

describe('a commit to deploy', () => {
  const git = (...parameters: readonly string[]): string => {
    const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    return execFileSync('git', [...author, ...parameters], { cwd: folder, encoding: 'utf8' }).trim();
  };
  const commit = (message: string): string => {
    git('commit', '--quiet', '--allow-empty', '--message', message);
    return git('rev-parse', 'HEAD');
  };
  git('init', '--quiet', '--initial-branch=main');
  const first = commit('First');
  const second = commit('Second');
  git('update-ref', 'refs/remotes/origin/main', second);
  const unreviewed = commit('Not on main');
  // Git could resolve an ambiguous name to one of these.
  for (const name of ['origin/main', 'refs/remotes/origin/main', 'HEAD', first, second]) {
    for (const kind of ['tags', 'heads']) git('update-ref', `refs/${kind}/${name}`, unreviewed);
  }
  for (const name of ['tags/main', 'remotes/origin/origin/main', 'origin/main']) {
    git('update-ref', `refs/${name}`, unreviewed);
  }

  const check = (given: string, passed = '1'): ReturnType<typeof runTool> => {
    const query = '--workflow ci.yml --branch main --event push --commit $COMMIT --status success';
    const gh = `[[ "$*" == *"${query}"* ]] && echo ${passed} || echo 0`;
    const env = { PATH: pathWith('gh', gh), COMMIT: given };
    return runTool('bash', [join(scripts, 'check-commit.sh')], { cwd: folder, env });
  };

  it.each([
    ['the tip of main', second],
    ['an older commit of main', first],
  ])('is accepted if it passed CI and is %s', async (_, given) => {
    expect(await check(given)).toMatchObject({ succeeded: true });
  });

  const notOnMain = /^::error::.*full SHA.*main\.$/m;
  it.for<readonly [what: string, given: string, message: RegExp, passed?: string]>([
    ['is a branch', 'main', notOnMain],
    ['is an abbreviated commit', second.slice(0, 12), notOnMain],
    ['does not exist', 'c0ffee'.padEnd(40, '0'), notOnMain],
    ['is not on main', unreviewed, notOnMain],
    ['is a tag', 'refs/tags/main', notOnMain],
    ['is in upper case', second.toUpperCase(), notOnMain],
    ['is followed by another line', `${second}\n${unreviewed}`, notOnMain],
    ['is empty', '', notOnMain],
    ['did not pass CI', second, /^::error::.*not passed CI.*\.$/m, '0'],
  ])('is rejected if it %s', async ([, given, message, passed]) => {
    const output: unknown = expect.stringMatching(message);
    expect(await check(given, passed)).toMatchObject({ succeeded: false, output });
  });
});

describe('smoke.sh', () => {
  const requests: unknown[] = [];
  /** Runs the script with an issuer that sends `status` and `tokens`, and a smoke test that prints `line`. */
  const run = async ({
    variables = {},
    status = 200,
    tokens = '{"access_token":"a.b.c"}',
    line = 'passed',
  }) => {
    requests.length = 0;
    const issuer = await startFakeServer(({ method, headers, body }) => {
      requests.push([method, headers.authorization, body.toString()]);
      return Promise.resolve({ status, headers: {}, body: Buffer.from(tokens) });
    });
    const npm = `[ "$*" = 'run -s smoke' ] && echo "${line} with $TOKEN of $BASE_URL" &&
      [ '${line}' != FAILED ]`;
    const TOKEN_REQUEST = `url = "${issuer.url}"
      user = "probe:s3cret/+="
      data = "grant_type=client_credentials&a=b"`;
    const own = { PATH: pathWith('npm', npm), BASE_URL: 'https://plants', TOKEN_REQUEST };
    const { succeeded, output } = await runTool('bash', [join(scripts, 'smoke.sh')], {
      cwd: folder,
      env: { ...own, ...variables },
    });
    await issuer.close();
    return [succeeded, output];
  };

  it('requests a token as configured, masks it, and tests with it', async () => {
    expect(await run({})).toEqual([true, '::add-mask::a.b.c\npassed with a.b.c of https://plants\n']);
    const credentials = Buffer.from('probe:s3cret/+=').toString('base64');
    expect(requests).toEqual([['POST', `Basic ${credentials}`, 'grant_type=client_credentials&a=b']]);
  });

  it.each([
    ['the issuer rejects the client', { status: 401 }, /^curl: .*401/],
    ['the issuer’s response has no token', { tokens: '{}' }, /^$/],
    ['a check fails', { line: 'FAILED' }, /^FAILED/m],
    ['the client has too few plants', { line: 'fewer than two plants' }, /^::error::.*not check/m],
    ['BASE_URL is not set', { variables: { BASE_URL: '' } }, /BASE_URL: is not set\n$/],
    ['TOKEN_REQUEST is not set', { variables: { TOKEN_REQUEST: '' } }, /TOKEN_REQUEST: is not set\n$/],
  ])('fails if %s', async (_, given, message) => {
    expect(await run(given)).toEqual([false, expect.stringMatching(message)]);
  });
});
