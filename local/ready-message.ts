import type { Service } from './service-file.ts';
import { columns, styled } from '../terminal/style.ts';

/** What a developer needs for the first request. */
export interface Ready extends Omit<Service, 'audience' | 'keyFile'> {
  readonly user: { readonly name: string; readonly groups: readonly string[] };
  readonly token: string;
}

/** The message that `npm start` prints: addresses, and a first request to copy. */
export const readyMessage = ({ baseUrl, storeEndpoint, tableName, issuer, user, token }: Ready): string => `\
${styled('bold', `The Plant Store is ready at ${baseUrl}`)}

${columns([
  ['  docs', `${baseUrl}/docs`],
  ['  store', `${storeEndpoint} (table ${tableName})`],
  ['  issuer', issuer],
])}

List the plants of ${user.name} and of the group ${user.groups.join(', ')}:

  curl -H 'Authorization: Bearer ${token}' ${baseUrl}/plants

Another user's token: npm run -s token -- carol --group gardeners
Stop with Ctrl-C.
`;
