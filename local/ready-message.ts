import { styleText } from 'node:util';
import type { Service } from './service-file.ts';

/** The message that `npm start` prints: addresses, and a first request to copy. */
export const readyMessage = (
  { baseUrl, storeEndpoint, tableName, issuer }: Service,
  user: { readonly name: string; readonly groups: readonly string[] },
  token: string,
): string => `\
${styleText('bold', `The Plant Store is ready at ${baseUrl}`)}

  docs    ${baseUrl}/docs
  store   ${storeEndpoint} (table ${tableName})
  issuer  ${issuer}

List the plants of ${user.name} and of the group ${user.groups.join(', ')}:

  curl -H 'Authorization: Bearer ${token}' '${baseUrl}/plants'

Another user's token: npm run -s token -- carol --group gardeners
Stop with Ctrl-C.
`;
