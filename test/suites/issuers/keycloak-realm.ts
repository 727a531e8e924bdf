import { generateKeyPairSync } from 'node:crypto';
import { password, username } from './user.ts';

/** The id of the client that is the API itself, and the audience of access tokens. */
export const apiClientId = 'plant-store';
/** A scope that every realm of Keycloak has. A token has it only if the client requests it. */
export const requiredScope = 'phone';
export const keyProvider = 'org.keycloak.keys.KeyProvider';

/** A representation of Keycloak's admin REST API. */
type Representation = Readonly<Record<string, unknown>>;

/** A key of the realm. For each algorithm, Keycloak signs with the key of the highest priority. */
const signingKey = (
  name: string,
  providerId: string,
  priority: number,
  config: Readonly<Record<string, readonly string[]>> = {},
): Representation => ({ name, providerId, config: { priority: [String(priority)], ...config } });

/** An RSA key. It is generated here, because Keycloak takes two seconds of a processor for one. */
export const keyComponent = (name: string, priority: number): Representation => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return signingKey(name, 'rsa', priority, { privateKey: [pem] });
};

const mapper = (name: string, protocolMapper: string, config: Representation): Representation => ({
  name,
  protocol: 'openid-connect',
  protocolMapper,
  config: { 'access.token.claim': 'true', ...config },
});

const mappers = [
  mapper('audience', 'oidc-audience-mapper', { 'included.custom.audience': apiClientId }),
  mapper('groups', 'oidc-group-membership-mapper', { 'claim.name': 'groups', 'full.path': 'true' }),
];

/** A public client whose access tokens are for the API and name the user's groups. */
const client = (clientId: string, attributes: Readonly<Record<string, string>> = {}) => ({
  clientId,
  publicClient: true,
  directAccessGrantsEnabled: true,
  attributes,
  protocolMappers: mappers,
});

const signedWith = (algorithm: string): Readonly<Record<string, string>> => ({
  'access.token.signed.response.alg': algorithm,
});

/** The full paths of the user's groups, sorted. */
export const groups = ['/clubs/fern-club', '/fern-club'];

/** The id of the user in a realm. The user's id is the `sub` of tokens. */
export const userIdIn = (realm: string): string => realm;

/** The id of the first signing key in a realm. */
export const firstKeyIdIn = (realm: string): string => realm;

/** A realm with clients of the API, and with the user in two groups of the same name. */
export const realmNamed = (realm: string, isRfc9068: boolean): Representation => ({
  realm,
  enabled: true,
  // An hour, which is longer than the authorizer's interval between refreshes of the key set.
  accessTokenLifespan: 3600,
  // With one iteration, because hashing with more would take most of a sign-in.
  passwordPolicy: 'hashAlgorithm(pbkdf2-sha256) and hashIterations(1)',
  components: {
    [keyProvider]: [
      { id: firstKeyIdIn(realm), ...keyComponent('first', 100) },
      signingKey('es256', 'ecdsa-generated', 90, { ecdsaEllipticCurveKey: ['P-256'] }),
      signingKey('eddsa', 'eddsa-generated', 90, { eddsaEllipticCurveKey: ['Ed25519'] }),
      signingKey('refresh', 'hmac-generated', 90, { algorithm: ['HS512'] }),
    ],
  },
  groups: [{ name: 'fern-club' }, { name: 'clubs', subGroups: [{ name: 'fern-club' }] }],
  users: [
    {
      id: userIdIn(realm),
      username,
      enabled: true,
      email: 'flora@example.com',
      emailVerified: true,
      firstName: 'Flora',
      lastName: 'Moss',
      groups,
      credentials: [{ type: 'password', value: password }],
    },
  ],
  clients: [
    client('app'),
    client(apiClientId, { 'user.info.response.signature.alg': 'RS256' }),
    client('app-es256', signedWith('ES256')),
    client('app-eddsa', signedWith('EdDSA')),
    { ...client('without-audience'), protocolMappers: [] },
  ].map((settings) => ({
    ...settings,
    attributes: { ...settings.attributes, 'access.token.header.type.rfc9068': String(isRfc9068) },
  })),
});
