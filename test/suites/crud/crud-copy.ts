import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../support/service/command.ts';
import { copyProject, type ProjectCopy } from '../../support/service/project-copy.ts';
import { readProjectFile } from '../../support/project-files.ts';
import { runTool } from '../run-tool.ts';

const overlay = new URL('../../../examples/crud/apply.ts', import.meta.url);

/** Whether the project has no examples/crud. Owners delete the folder after they have applied it. */
export const hasNoOverlay = !existsSync(overlay);

const isApplied = readProjectFile('infra/operations.ts').includes("'POST /plants'");

/** Whether the command of docs/crud.md can be run: it makes a service with writes only once. */
export const canApplyOverlay = !hasNoOverlay && !isApplied;

/**
 * Copies the project into a Git repository, and applies examples/crud to the copy as docs/crud.md says. If
 * the project has the operations already, the copy stays as it is.
 */
export const crudCopy = async (): Promise<ProjectCopy> => {
  const project = copyProject();
  const cwd = project.folder;
  const commit = 'git init --quiet && git add --all && git commit --quiet --message Copy';
  const { succeeded, output: problem } = await runTool('sh', ['-c', commit], { cwd });
  if (!succeeded) throw new Error(problem);
  if (isApplied) return project;
  const command = ['node', 'examples/crud/apply.ts'];
  const { code, output } = await runCommand(join(cwd, 'bin/run'), cwd, command).ended;
  if (code !== 0) throw new Error(output);
  return project;
};
