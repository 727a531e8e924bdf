import { generateKeyPairSync } from 'node:crypto';
import { password, username } from './user.ts';

export const api = 'plant-store';
/** Every realm has it, and a token only if it is asked for. */
export const requiredScope = 'phone';
export const keyProvider = 'org.keycloak.keys.KeyProvider';

/** A representation of Keycloak's admin REST API. */
type Representation = Readonly<Record<string, unknown>>;

/** A key of the realm; the one with the highest priority signs. */
const signingKey = (
  name: string,
  providerId: string,
  priority: number,
  config: Readonly<Record<string, readonly string[]>> = {},
): Representation => ({ name, providerId, config: { priority: [String(priority)], ...config } });

/** An RSA key, generated here: Keycloak takes two seconds of a processor for one. */
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
  mapper('audience', 'oidc-audience-mapper', { 'included.custom.audience': api }),
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

/** The user's groups, by full path and sorted. */
export const groups = ['/clubs/fern-club', '/fern-club'];

/** A realm with the API's clients, and the user in two groups of the same name. Its id is the user's, too. */
export const realmNamed = (realm: string, isRfc9068: boolean): Representation => ({
  realm,
  enabled: true,
  // An hour: longer than the authorizer's interval between refreshes of the key set.
  accessTokenLifespan: 3600,
  // Otherwise, hashing takes most of a sign-in.
  passwordPolicy: 'hashAlgorithm(pbkdf2-sha256) and hashIterations(1)',
  components: {
    [keyProvider]: [
      { id: realm, ...keyComponent('first', 100) },
      signingKey('es256', 'ecdsa-generated', 90, { ecdsaEllipticCurveKey: ['P-256'] }),
      signingKey('eddsa', 'eddsa-generated', 90, { eddsaEllipticCurveKey: ['Ed25519'] }),
      signingKey('refresh', 'hmac-generated', 90, { algorithm: ['HS512'] }),
    ],
  },
  groups: [{ name: 'fern-club' }, { name: 'clubs', subGroups: [{ name: 'fern-club' }] }],
  users: [
    {
      id: realm,
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
    client(api, { 'user.info.response.signature.alg': 'RS256' }),
    client('app-es256', signedWith('ES256')),
    client('app-eddsa', signedWith('EdDSA')),
    { ...client('stranger'), protocolMappers: [] },
  ].map((each) => ({
    ...each,
    attributes: { ...each.attributes, 'access.token.header.type.rfc9068': String(isRfc9068) },
  })),
});
