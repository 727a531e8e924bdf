import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBackend } from './backend/backend.ts';
import { type Bundle, bundleAll } from './bundle.ts';
import { makeCertificates } from './backend/certificates.ts';
import { credentials, loopback, region, tableName } from './lambda/environment.ts';
import type { Deployment } from './lambda/execution-environment.ts';
import { type Issuer, makeIssuer } from './backend/issuer.ts';
import type { Task, Variant } from './variants.ts';

/** A variant, ready to start. */
export interface Candidate extends Deployment {
  readonly name: string;
  readonly kind: Variant['kind'];
  /** It does nothing, as a lower bound. */
  readonly isEmpty: boolean;
  readonly bundleBytes: number;
}

/** The variants, and the services they call. */
export interface Harness {
  readonly candidates: Readonly<Record<Task, readonly Candidate[]>>;
  readonly issuer: Issuer;
  /** When the callers' tokens expire, in seconds since 1970. */
  readonly expiresAt: number;
  readonly queryCount: () => number;
  /** A temporary folder, deleted at exit. */
  readonly scratch: string;
  readonly end: () => Promise<void>;
}

/** Longer than any run. */
const tokenSeconds = 24 * 3600;

/** Bundles the variants, and starts the services they call. */
export const startHarness = async (): Promise<Harness> => {
  const bundles = bundleAll();
  const certificates = await makeCertificates(loopback);
  const issuer = await makeIssuer();
  const backend = await startBackend(certificates, {
    address: loopback,
    jwks: issuer.jwks,
    credentials,
    region,
    tableName,
  });
  const scratch = mkdtempSync(join(tmpdir(), 'plant-store-bench-'));
  const authorityFile = join(scratch, 'authority.pem');
  writeFileSync(authorityFile, certificates.authority);
  process.once('exit', () => {
    rmSync(scratch, { recursive: true });
  });

  const variables = {
    NODE_EXTRA_CA_CERTS: authorityFile,
    AWS_ENDPOINT_URL_DYNAMODB: backend.url,
    TABLE_NAME: tableName,
    TOKEN_PROFILE: 'rfc9068',
    TOKEN_ISSUER: issuer.name,
    AUDIENCE: issuer.audience,
    CALLER_ID_SALT: 'benchmark',
    TOKEN_ALGORITHMS: 'RS256,ES256,EdDSA',
    GROUPS_CLAIM: 'groups',
    JWKS_URI: `${backend.url}/.well-known/jwks.json`,
  };
  const candidate = ({ variant, folder: asset, handler, bytes }: Bundle): Candidate => ({
    name: variant.name,
    kind: variant.kind,
    isEmpty: variant.isEmpty === true,
    folder: asset,
    handler,
    bundleBytes: bytes,
    variables,
  });
  return {
    candidates: { list: bundles.list.map(candidate), authorizer: bundles.authorizer.map(candidate) },
    issuer,
    expiresAt: Math.floor(Date.now() / 1000) + tokenSeconds,
    queryCount: backend.queryCount,
    scratch,
    end: backend.end,
  };
};
