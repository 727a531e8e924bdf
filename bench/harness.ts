import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Caller } from '../functions/shared/caller-context.ts';
import { loopback } from '../local/listen.ts';
import { issuerOf } from '../test/support/issuer.ts';
import { rsaKey } from '../test/support/tokens.ts';
import { startBackend } from './backend/backend.ts';
import { makeCertificates } from './backend/certificates.ts';
import { assembly, bundleAll, type Candidate } from './bundle.ts';
import { tableName } from './lambda/environment.ts';
import { productName, type Task } from './variants.ts';

/** The variants, and the services they call. */
export interface Harness {
  readonly candidates: Readonly<Record<Task, readonly Candidate[]>>;
  /** The product's functions, which are candidates too. */
  readonly product: Readonly<Record<Task, Candidate>>;
  /** Signs an access token (RFC 9068). */
  readonly tokenOf: (caller: Caller) => string;
  /** The number of Queries since the start, of all variants. */
  readonly queryCount: () => number;
}

/** Bundles the variants, and starts the services they call. */
export const startHarness = async (): Promise<Harness> => {
  const { authority, ...certificates } = await makeCertificates(loopback);
  const issuer = issuerOf(rsaKey('benchmark'), 'https://issuer.example.com', 'plant-store');
  const { url, queryCount } = await startBackend({
    ...certificates,
    jwks: JSON.stringify({ keys: [issuer.key.jwk] }),
  });
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
  const productOf = (task: Task): Candidate => {
    const product = candidates[task].find(({ name }) => name === productName);
    if (product === undefined) throw new Error(`The product has no function ${task}.`);
    return product;
  };
  const tokenOf: Harness['tokenOf'] = ({ subject, groups, expiresAt }) =>
    issuer.token({
      claims: { sub: subject, groups, exp: expiresAt, client_id: 'benchmark', jti: crypto.randomUUID() },
    });
  const product = { list: productOf('list'), authorizer: productOf('authorizer') };
  return { candidates, product, tokenOf, queryCount };
};
