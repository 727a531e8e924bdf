import { jwksPath } from './issuer/issuer-server.ts';
import { loopback } from './server/ports.ts';

/** The store and the issuer that the functions of the local service use. */
export interface Backend {
  readonly storeEndpoint: string;
  readonly tableName: string;
  readonly issuer: string;
  readonly audience: string;
}

type FunctionVariables = Readonly<
  Record<
    | 'AWS_ENDPOINT_URL_DYNAMODB'
    | 'TABLE_NAME'
    | 'TOKEN_PROFILE'
    | 'TOKEN_ISSUER'
    | 'JWKS_URI'
    | 'TOKEN_ALGORITHMS'
    | 'AUDIENCE'
    | 'GROUPS_CLAIM'
    | 'CALLER_ID_SALT',
    string
  >
>;

/** The environment variables that the stack (infra/) gives to its functions, with this machine's values. */
export const functionVariables = ({
  storeEndpoint,
  tableName,
  issuer,
  audience,
}: Backend): FunctionVariables => ({
  AWS_ENDPOINT_URL_DYNAMODB: storeEndpoint,
  TABLE_NAME: tableName,
  TOKEN_PROFILE: 'rfc9068',
  TOKEN_ISSUER: issuer,
  JWKS_URI: `${issuer}${jwksPath}`,
  TOKEN_ALGORITHMS: 'EdDSA',
  AUDIENCE: audience,
  GROUPS_CLAIM: 'groups',
  CALLER_ID_SALT: 'local',
});

/**
 * The variables of `functionVariables` for containers (samconfig.toml), where 127.0.0.1 is the container.
 * TOKEN_ISSUER stays the same, because the `iss` of tokens must match it.
 */
export const containerVariables = (variables: FunctionVariables): FunctionVariables => {
  const fromContainer = (url: string): string => url.replace(`//${loopback}:`, '//host.docker.internal:');
  return {
    ...variables,
    AWS_ENDPOINT_URL_DYNAMODB: fromContainer(variables.AWS_ENDPOINT_URL_DYNAMODB),
    JWKS_URI: fromContainer(variables.JWKS_URI),
  };
};
