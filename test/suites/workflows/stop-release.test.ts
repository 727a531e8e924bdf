import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runTool } from '../tool.ts';
import { checkout, newFolder, pathWith } from './runner.ts';

/**
 * A stub of the AWS CLI. Each line of `ticks` is the state after one more `sleep`: the stack's status, then
 * the running deployments, each on its own page of results, named `d-GROUP-NUMBER`, with `-rollback`,
 * `-done` if it ends before it is stopped, or `-late` if it starts after the status was read; `None` is an
 * empty page. `canary` or `urgent` at the end: CloudFormation has applied a template of this kind.
 */
const aws = `echo "$*" >>"$STATE/calls"
  read -r status deployments < <(head -n 1 "$STATE/ticks")
  case "$*" in
    *describe-stacks*) echo "$status" && touch "$STATE/read" ;;
    *list-stack-resources*CodeDeploy::Application*) echo releases ;;
    *list-stack-resources*CodeDeploy::DeploymentGroup*) printf 'list\\tauthorizer\\n' ;;
    *get-template*) cat "$STATE/template" ;;
    *get-deployment-group*) paste -s "$STATE/$6" ;;
    *update-deployment-group*) printf '%s\\n' "$8" "\${10}" >"$STATE/$6" ;;
    *list-deployments*)
      for each in $deployments; do
        [[ $each != d-$6-* && $each != None || ($each == *-late && ! -e $STATE/read) ]] || echo "$each"
      done ;;
    *get-deployment*' None '*) exit 254 ;;
    *get-deployment*-rollback*) echo 'codeDeployRollback d-list-1' ;;
    *get-deployment*) echo 'user None' ;;
    *stop-deployment*-done*) echo 'DeploymentAlreadyCompletedException' >&2 && exit 254 ;;
  esac`;
const sleep = `rm -f "$STATE/read"
  [ "$(wc -l <"$STATE/ticks")" = 1 ] || sed -i 1d "$STATE/ticks"
  read -r status state < <(head -n 1 "$STATE/ticks")
  case "$status $state" in
    SIGINT*) kill -INT "$PPID" ;;
    SIGHUP*) kill -HUP "$PPID" && kill -HUP "$PPID" ;;
    *' '*canary | *' '*urgent)
      for each in list authorizer template; do cp "$STATE/\${state##* }" "$STATE/$each"; done ;;
  esac`;
const settings = {
  canary: 'CodeDeployDefault.LambdaCanary10Percent10Minutes\n{"alarms": [{"name": "Release"}]}\n',
  urgent: 'CodeDeployDefault.LambdaAllAtOnce\nenabled=false\n',
};
// The groups whose canary is turned off first, and restored last.
const both = 'list authorizer';

it.each([
  [
    'stops the canary of each function once, on any page of results, but not the rollbacks that this starts',
    `UPDATE_IN_PROGRESS d-list-1
       UPDATE_IN_PROGRESS None d-list-1 d-list-1-rollback None d-authorizer-1
       UPDATE_IN_PROGRESS d-authorizer-1-rollback
       UPDATE_ROLLBACK_IN_PROGRESS d-list-2
       UPDATE_ROLLBACK_COMPLETE`,
    `${both} d-list-1 d-authorizer-1 ${both}`,
  ],
  ['changes nothing if no release runs', 'UPDATE_COMPLETE', ''],
  ['does not wait for a change set that was not executed', 'REVIEW_IN_PROGRESS\n CREATE_FAILED', ''],
  [
    'waits for each operation that ends by itself, such as a rollback',
    `CREATE_IN_PROGRESS
       IMPORT_IN_PROGRESS
       UPDATE_COMPLETE_CLEANUP_IN_PROGRESS
       UPDATE_ROLLBACK_IN_PROGRESS d-list-1-rollback
       UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS
       UPDATE_ROLLBACK_COMPLETE`,
    '',
  ],
  ['fails if an operation failed', 'UPDATE_FAILED', '', '::error::PlantStore-prod is UPDATE_FAILED'],
  [
    'continues a rollback that failed',
    'UPDATE_ROLLBACK_FAILED\n UPDATE_ROLLBACK_IN_PROGRESS\n UPDATE_ROLLBACK_COMPLETE',
    `${both} continue ${both}`,
  ],
  [
    'fails with the section of the runbook if a rollback fails again',
    'UPDATE_ROLLBACK_FAILED\n UPDATE_ROLLBACK_IN_PROGRESS\n UPDATE_ROLLBACK_FAILED',
    `${both} continue ${both}`,
    '::error::PlantStore-prod is UPDATE_ROLLBACK_FAILED: docs/runbook.md#roll-back',
  ],
  // GitHub sends SIGINT when a run is cancelled, and a terminal SIGHUP when it is closed.
  ...['SIGINT', 'SIGHUP'].map((signal) => [
    `restores the canary after ${signal}`,
    `UPDATE_IN_PROGRESS d-list-1\n ${signal}`,
    `${both} d-list-1 ${both}`,
    'PlantStore-prod: UPDATE_IN_PROGRESS',
  ]),
  [
    'leaves the canary off after a rollback to an urgent deployment',
    'UPDATE_IN_PROGRESS d-list-1\n UPDATE_ROLLBACK_COMPLETE urgent',
    `${both} d-list-1`,
  ],
  [
    'continues if a deployment completes before it is stopped, and leaves the canary off if it was urgent',
    'UPDATE_IN_PROGRESS d-list-1-done\n UPDATE_COMPLETE urgent',
    `${both} d-list-1-done`,
  ],
  [
    'leaves the canary on when another urgent deployment is rolled back',
    'CREATE_IN_PROGRESS\n UPDATE_IN_PROGRESS d-list-1 urgent\n UPDATE_ROLLBACK_COMPLETE canary',
    'd-list-1',
  ],
  [
    'stops no deployment that CloudFormation’s rollback may have started',
    'UPDATE_IN_PROGRESS d-list-2-late\n UPDATE_ROLLBACK_COMPLETE',
    `${both} ${both}`,
  ],
])('stop-release.sh %s', async (_, ticks, changes, error = '') => {
  const [last = 'canary'] = /canary$|urgent$/.exec(ticks) ?? [];
  const left = last === 'urgent' ? settings.urgent : settings.canary;
  const folder = newFolder();
  const state = (file: string): string => join(folder, file);
  writeFileSync(state('ticks'), `${ticks}\n`);
  for (const [name, text] of Object.entries(settings)) writeFileSync(state(name), text);
  for (const each of ['template', ...both.split(' ')]) writeFileSync(state(each), settings.canary);
  const env = { PATH: pathWith({ aws, sleep }), STATE: folder, STAGE: 'prod' };
  const { succeeded, output } = await runTool('bash', ['.github/stop-release.sh'], { cwd: checkout, env });
  expect([succeeded, output]).toEqual([error === '', expect.stringContaining(error)]);
  const changed = readFileSync(state('calls'), 'utf8').matchAll(
    /stop-deployment --deployment-id (\S+)|(continue)|update-deployment-group .* (list|authorizer) --dep/g,
  );
  expect([...changed].flatMap(([, ...found]) => found.join('')).join(' ')).toBe(changes);
  for (const group of both.split(' ')) expect(readFileSync(state(group), 'utf8')).toBe(left);
});
