import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jwksPath } from './issuer/issuer.ts';
import { type Service, stateFolder } from './service-file.ts';

/** The variables that the stack (infra/) gives to its functions, with this machine's values. */
export const functionVariables = (service: Omit<Service, 'baseUrl'>): Readonly<Record<string, string>> => ({
  AWS_ENDPOINT_URL_DYNAMODB: service.storeEndpoint,
  TABLE_NAME: service.tableName,
  TOKEN_PROFILE: 'rfc9068',
  TOKEN_ISSUER: service.issuer,
  JWKS_URI: `${service.issuer}${jwksPath}`,
  TOKEN_ALGORITHMS: 'EdDSA',
  AUDIENCE: service.audience,
  GROUPS_CLAIM: 'groups',
  CALLER_ID_SALT: 'local',
});

/** Writes the file that `samconfig.toml` names: the variables for functions in containers. */
export const writeContainerVariables = (variables: Readonly<Record<string, string>>): void => {
  // In a container, 127.0.0.1 is the container itself. The issuer's name is only compared with the tokens'.
  const text = JSON.stringify({ Parameters: variables }, undefined, 2).replaceAll(
    /(?<!"TOKEN_ISSUER": "http:)\/\/127\.0\.0\.1:/g,
    '//host.docker.internal:',
  );
  writeFileSync(join(stateFolder, 'container-variables.json'), text);
};
