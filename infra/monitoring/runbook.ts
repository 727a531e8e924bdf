/** The runbook of a commit: its URL on GitHub if a workflow deploys, or else its path in the checkout. */
const runbook = (commit: string): string => {
  const { GITHUB_SERVER_URL: server = '', GITHUB_REPOSITORY: repository = '' } = process.env;
  return server === '' || repository === ''
    ? 'docs/runbook.md'
    : `${server}/${repository}/blob/${commit}/docs/runbook.md`;
};

/** The heading of an alarm's section: its id in words. */
export const sectionTitle = (alarmId: string): string =>
  alarmId.replaceAll(/(?<=[a-z])[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);

/** The address of an alarm's section in the runbook. */
export const runbookSection = (alarmId: string, commit: string): string =>
  `${runbook(commit)}#${sectionTitle(alarmId).toLowerCase().replaceAll(' ', '-')}`;
