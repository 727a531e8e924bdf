import type { Service } from '../terminal/local-service.ts';
import type { SampleUser } from './issuer/sample-users.ts';

/** What `npm start` prints when the service is ready. The curl command bypasses the machine's proxy. */
export const banner = (
  { baseUrl, storeEndpoint, tableName, issuer }: Service,
  user: SampleUser,
  token: string,
): string => `\
The Plant Store is ready at ${baseUrl}

  docs    ${baseUrl}/docs
  store   ${storeEndpoint} (table ${tableName})
  issuer  ${issuer}

List the plants of ${user.name} and of the group ${user.groups.join(', ')}:

  curl --noproxy '*' -H 'Authorization: Bearer ${token}' '${baseUrl}/plants'

Another user's token: npm run -s token -- carol --group gardeners
Stop with Ctrl-C.
`;
