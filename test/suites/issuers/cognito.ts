import { z } from 'zod';
import { region } from '../../support/table/dynamodb-table.ts';
import { callEmulator } from '../emulator.ts';
import type { Grant, IssuerUnderTest } from './issuer-under-test.ts';
import { groups, password, username } from './user.ts';

const pool = z.object({ UserPool: z.object({ Id: z.string() }) });
const client = z.object({ UserPoolClient: z.object({ ClientId: z.string() }) });
const user = z.object({
  User: z.object({ Attributes: z.array(z.object({ Name: z.string(), Value: z.string() })) }),
});
const result = z.object({
  AccessToken: z.string(),
  IdToken: z.string(),
  RefreshToken: z.string().default(''),
});
const tokens = z.object({ AuthenticationResult: result });

/** The ids of a user pool, of its two clients and of its user. */
type UserPool = Readonly<Record<'id' | 'app' | 'stranger' | 'subject', string>>;

/**
 * Cognito as MiniStack emulates it, with a user pool for the API.
 * @param settings of the stage
 */
export const cognito = (settings: { readonly audience?: string } = {}): IssuerUnderTest => {
  const endpoint = process.env['MINISTACK_ENDPOINT'] ?? '';
  const call = async (action: string, parameters: object): Promise<unknown> => {
    const headers = [
      'content-type: application/x-amz-json-1.1',
      `x-amz-target: AWSCognitoIdentityProviderService.${action}`,
    ].flatMap((header) => ['--header', header]);
    const body = JSON.stringify(parameters);
    const text = await callEmulator('cognito-idp', endpoint, ...headers, '--data', body);
    return text === '' ? {} : JSON.parse(text);
  };

  const createPool = async (): Promise<UserPool> => {
    const { UserPool } = pool.parse(await call('CreateUserPool', { PoolName: 'plants' }));
    const UserPoolId = UserPool.Id;
    const createClient = async (ClientName: string): Promise<string> => {
      const ExplicitAuthFlows = ['ALLOW_ADMIN_USER_PASSWORD_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'];
      const created = await call('CreateUserPoolClient', { UserPoolId, ClientName, ExplicitAuthFlows });
      return client.parse(created).UserPoolClient.ClientId;
    };
    const Username = username;
    const created = await call('AdminCreateUser', { UserPoolId, Username, MessageAction: 'SUPPRESS' });
    await call('AdminSetUserPassword', { UserPoolId, Username, Password: password, Permanent: true });
    for (const GroupName of groups) {
      await call('CreateGroup', { UserPoolId, GroupName });
      await call('AdminAddUserToGroup', { UserPoolId, Username, GroupName });
    }
    return {
      id: UserPoolId,
      app: await createClient('app'),
      stranger: await createClient('stranger'),
      subject: user.parse(created).User.Attributes.find(({ Name }) => Name === 'sub')?.Value ?? '',
    };
  };
  let plants: UserPool;

  const authenticate = async (
    ClientId: string,
    AuthFlow: string,
    AuthParameters: Readonly<Record<string, string>>,
  ): Promise<Grant> => {
    const parameters = { UserPoolId: plants.id, ClientId, AuthFlow, AuthParameters };
    const response = await call('AdminInitiateAuth', parameters);
    const { AccessToken, IdToken, RefreshToken } = tokens.parse(response).AuthenticationResult;
    return { access: AccessToken, id: IdToken, refresh: RefreshToken };
  };
  const signIn = (clientId = plants.app): Promise<Grant> =>
    authenticate(clientId, 'ADMIN_USER_PASSWORD_AUTH', { USERNAME: username, PASSWORD: password });

  return {
    name: 'Cognito',
    start: async () => {
      plants = await createPool();
    },
    record: () => ({
      profile: 'cognito',
      issuer: `https://cognito-idp.${region}.amazonaws.com/${plants.id}`,
      jwksUri: `${endpoint}/${plants.id}/.well-known/jwks.json`,
      clientIds: [plants.app],
      algorithms: ['RS256'],
      ...settings,
    }),
    caller: () => ({ subject: plants.subject, groups }),
    signIn: () => signIn(),
    refresh: async (token) =>
      (await authenticate(plants.app, 'REFRESH_TOKEN_AUTH', { REFRESH_TOKEN: token })).access,
    allowed: [],
    denied: [
      ['an ID token', 'token-use', async () => (await signIn()).id],
      ['a refresh token', 'token-use', async () => (await signIn()).refresh],
      ['an access token of another app client', 'client', async () => (await signIn(plants.stranger)).access],
    ],
  };
};
