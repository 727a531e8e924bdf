/** Where people who are on call find the runbook: on the forge that deploys, else in the checkout. */
const runbook = (): string => {
  const {
    GITHUB_SERVER_URL: server = '',
    GITHUB_REPOSITORY: repository = '',
    GITHUB_SHA: commit = '',
  } = process.env;
  return [server, repository, commit].includes('')
    ? 'docs/runbook.md'
    : `${server}/${repository}/blob/${commit}/docs/runbook.md`;
};

/** The heading of an alarm's section: its id in words. */
export const sectionTitle = (alarmId: string): string =>
  alarmId.replaceAll(/(?<=[a-z])[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);

/** Where an alarm's section in the runbook is. */
export const runbookSection = (alarmId: string): string =>
  `${runbook()}#${sectionTitle(alarmId).toLowerCase().replaceAll(' ', '-')}`;
