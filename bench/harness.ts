import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loopback } from '../local/listen.ts';
import { startBackend } from './backend/backend.ts';
import { makeCertificates } from './backend/certificates.ts';
import { type Issuer, makeIssuer } from './backend/issuer.ts';
import { assembly, bundleAll, type Candidate } from './bundle.ts';
import { tableName } from './lambda/environment.ts';
import type { Task } from './variants.ts';

/** The variants, and the services they call. */
export interface Harness {
  readonly candidates: Readonly<Record<Task, readonly Candidate[]>>;
  readonly issuer: Issuer;
  readonly queryCount: () => number;
}

/** Bundles the variants, and starts the services they call. */
export const startHarness = async (): Promise<Harness> => {
  const { authority, ...certificates } = await makeCertificates(loopback);
  const issuer = await makeIssuer();
  const { url, queryCount } = await startBackend({ ...certificates, jwks: issuer.jwks });
  const authorityFile = join(assembly, 'authority.pem');
  const candidates = bundleAll({
    NODE_EXTRA_CA_CERTS: authorityFile,
    AWS_ENDPOINT_URL_DYNAMODB: url,
    TABLE_NAME: tableName,
    TOKEN_PROFILE: 'rfc9068',
    TOKEN_ISSUER: issuer.name,
    AUDIENCE: issuer.audience,
    CALLER_ID_SALT: 'benchmark',
    TOKEN_ALGORITHMS: 'RS256,ES256,EdDSA',
    GROUPS_CLAIM: 'groups',
    JWKS_URI: `${url}/.well-known/jwks.json`,
  });
  writeFileSync(authorityFile, authority);
  return { candidates, issuer, queryCount };
};
