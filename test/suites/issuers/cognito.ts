import { z } from 'zod';
import { region } from '../../support/table/dynamodb-table.ts';
import { callEmulator } from '../emulator.ts';
import type { Grant, IssuerUnderTest } from './issuer-under-test.ts';
import { groups, password, username } from './user.ts';

const poolSchema = z.object({ UserPool: z.object({ Id: z.string() }) });
const clientSchema = z.object({ UserPoolClient: z.object({ ClientId: z.string() }) });
const userSchema = z.object({
  User: z.object({ Attributes: z.array(z.object({ Name: z.string(), Value: z.string() })) }),
});
const resultSchema = z.object({
  AccessToken: z.string(),
  IdToken: z.string(),
  RefreshToken: z.string().default(''),
});
const authenticationSchema = z.object({ AuthenticationResult: resultSchema });

/** The ids of a user pool, of its two clients and of its user. The stage accepts only tokens of `app`. */
type UserPool = Readonly<Record<'id' | 'app' | 'otherApp' | 'subject', string>>;

/**
 * Cognito as MiniStack emulates it, with a user pool for the API.
 * @param settings further settings of the stage's tokens
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
    const { UserPool } = poolSchema.parse(await call('CreateUserPool', { PoolName: 'plants' }));
    const UserPoolId = UserPool.Id;
    const createClient = async (ClientName: string): Promise<string> => {
      const ExplicitAuthFlows = ['ALLOW_ADMIN_USER_PASSWORD_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'];
      const created = await call('CreateUserPoolClient', { UserPoolId, ClientName, ExplicitAuthFlows });
      return clientSchema.parse(created).UserPoolClient.ClientId;
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
      otherApp: await createClient('other-app'),
      subject: userSchema.parse(created).User.Attributes.find(({ Name }) => Name === 'sub')?.Value ?? '',
    };
  };
  let userPool: UserPool;

  const authenticate = async (
    ClientId: string,
    AuthFlow: string,
    AuthParameters: Readonly<Record<string, string>>,
  ): Promise<Grant> => {
    const parameters = { UserPoolId: userPool.id, ClientId, AuthFlow, AuthParameters };
    const response = await call('AdminInitiateAuth', parameters);
    const { AccessToken, IdToken, RefreshToken } = authenticationSchema.parse(response).AuthenticationResult;
    return { access: AccessToken, id: IdToken, refresh: RefreshToken };
  };
  const signIn = (clientId = userPool.app): Promise<Grant> =>
    authenticate(clientId, 'ADMIN_USER_PASSWORD_AUTH', { USERNAME: username, PASSWORD: password });

  return {
    name: 'Cognito',
    start: async () => {
      userPool = await createPool();
    },
    tokens: () => ({
      profile: 'cognito',
      issuer: `https://cognito-idp.${region}.amazonaws.com/${userPool.id}`,
      jwksUri: `${endpoint}/${userPool.id}/.well-known/jwks.json`,
      clientIds: [userPool.app],
      algorithms: ['RS256'],
      ...settings,
    }),
    caller: () => ({ subject: userPool.subject, groups }),
    signIn: () => signIn(),
    refresh: async (token) =>
      (await authenticate(userPool.app, 'REFRESH_TOKEN_AUTH', { REFRESH_TOKEN: token })).access,
    allowed: [],
    denied: [
      ['an ID token', 'token-use', async () => (await signIn()).id],
      ['a refresh token', 'token-use', async () => (await signIn()).refresh],
      [
        'an access token of another app client',
        'client',
        async () => (await signIn(userPool.otherApp)).access,
      ],
    ],
  };
};
