import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { z } from 'zod';
import { startServer, stopServer } from '../../support/loopback-server.ts';
import { redirectUri } from './authorization-code.ts';
import { groups, username } from './user.ts';

/** A client without a user. */
export const robot = { client_id: 'robot', client_secret: 'secret' };
/** The API's audience. */
export const api = 'https://plants.example.com';
export const scope = 'plants:read';
/** In seconds; longer than the authorizer's interval between refreshes of the key set. */
const lifetime = 3600;

/** The parts of the library's interface that are used here. */
interface Provider {
  readonly callback: () => RequestListener;
  readonly interactionFinished: (...of: [IncomingMessage, ServerResponse, result: object]) => Promise<void>;
}
interface UserGrant {
  readonly addOIDCScope: (scope: string) => void;
  readonly addResourceScope: (resource: string, scope: string) => void;
  readonly save: () => Promise<string>;
}
interface Context {
  readonly oidc: {
    readonly session: { readonly accountId: string };
    readonly client: { readonly clientId: string };
    readonly params: { readonly resource?: string };
    readonly provider: { readonly Grant: new (of: object) => UserGrant };
  };
}
type ProviderClass = new (issuer: string, configuration: object) => Provider;

const library = z.object({ Provider: z.custom<ProviderClass>((value) => typeof value === 'function') });

/** The library's settings: access tokens as in RFC 9068 for a resource (RFC 8707), and no consent page. */
const configuration = (keys: readonly object[]): object => ({
  jwks: { keys },
  clients: [
    {
      client_id: 'app',
      token_endpoint_auth_method: 'none',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    { ...robot, grant_types: ['client_credentials'], redirect_uris: [], response_types: [] },
  ],
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      getResourceServerInfo: (_context: unknown, resource: string) => ({
        scope,
        audience: resource,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
  ttl: Object.fromEntries(
    ['AccessToken', 'ClientCredentials', 'Grant', 'IdToken', 'Interaction', 'RefreshToken', 'Session'].map(
      (kind) => [kind, lifetime],
    ),
  ),
  findAccount: (_context: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
  extraTokenClaims: (_context: unknown, { kind }: { readonly kind: string }) =>
    kind === 'AccessToken' ? { groups } : {},
  issueRefreshToken: () => true,
  interactions: { url: (_context: unknown, { uid }: { readonly uid: string }) => `${signInPath}${uid}` },
  loadExistingGrant: async ({ oidc: { session, client, params, provider } }: Context): Promise<UserGrant> => {
    const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
    grant.addOIDCScope('openid');
    if (params.resource !== undefined) grant.addResourceScope(params.resource, scope);
    await grant.save();
    return grant;
  },
});

const signInPath = '/sign-in/';

/** A running issuer. */
export interface RunningProvider {
  readonly url: string;
  /** Replaces its keys; the first one of an algorithm signs. */
  readonly restart: (keys: readonly object[]) => void;
  readonly stop: () => Promise<void>;
}

/** Starts an issuer whose sign-in page signs in the user without asking. */
export const startProvider = async (folder: string, keys: readonly object[]): Promise<RunningProvider> => {
  const { Provider } = library.parse(createRequire(`${folder}/`)('oidc-provider'));
  let handle: RequestListener = () => undefined;
  const server = createServer((request, response) => {
    handle(request, response);
  });
  const url = await startServer(server);
  const restart = (current: readonly object[]): void => {
    const provider = new Provider(url, configuration(current));
    const respond = provider.callback();
    handle = (request, response) => {
      if (request.url?.startsWith(signInPath) !== true) respond(request, response);
      else void provider.interactionFinished(request, response, { login: { accountId: username } });
    };
  };
  restart(keys);
  return { url, restart, stop: () => stopServer(server) };
};
