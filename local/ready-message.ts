import { columns, styled } from '../terminal/style.ts';

/** What a developer needs for the first request. */
export interface Ready {
  readonly baseUrl: string;
  readonly store: string;
  readonly tableName: string;
  readonly issuer: string;
  /** At least one. */
  readonly users: readonly User[];
}

interface User {
  readonly name: string;
  readonly groups: readonly string[];
  readonly token: string;
}

/** The message that `npm start` prints: addresses, users with their tokens, and a first request to copy. */
export const readyMessage = ({ baseUrl, store, tableName, issuer, users }: Ready): string => {
  const [first] = users;
  return `${styled('bold', `The Plant Store is ready at ${baseUrl}`)}

${table(['base URL', baseUrl], ['docs', `${baseUrl}/docs`], ['store', `${store} (table ${tableName})`], ['issuer', issuer])}

${table(
  ['user', 'groups', 'token'],
  ...users.map(({ name, groups, token }) => [name, groups.join(', ') || 'none', token]),
)}

List the plants of ${first?.name ?? ''} and of their groups:

  curl -H 'Authorization: Bearer ${first?.token ?? ''}' ${baseUrl}/plants

Another user's token: npm run -s token -- carol --group gardeners
Stop with Ctrl-C.
`;
};

const table = (...rows: readonly (readonly string[])[]): string => columns(rows).replaceAll(/^/gm, '  ');
