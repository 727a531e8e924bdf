import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { type IssuedTokens, type Stage, StageError } from './stage-type.ts';

/** Tokens by RFC 9068. docs/issuers.md has the settings for other issuers, and where `jwksUri` is. */
const issuedBy = (issuer: string): Extract<IssuedTokens, { readonly groupsClaim: string }> => ({
  profile: 'rfc9068',
  issuer,
  jwksUri: issuer.replace(/\/?$/, '/.well-known/jwks.json'),
  audience: 'plant-store',
  algorithms: ['RS256', 'ES256', 'EdDSA'],
  groupsClaim: 'groups',
});

/** An address of this machine, with the port that `npm start` takes from the same variable. */
const loopback = (variable: string, port: number): string =>
  `http://127.0.0.1:${(process.env[variable] ?? '') || String(port)}`;

const recorded = {
  /** For a developer's machine: `npm start`, `sam local` or an emulator. */
  local: {
    // The processor of this machine, so that `sam local` can run the functions in containers.
    architecture: process.arch === 'arm64' ? 'arm64' : 'x86_64',
    tokens: issuedBy(loopback('ISSUER_PORT', 9000)),
    storeEndpoint: loopback('STORE_PORT', 8000),
    logRetentionDays: RetentionDays.ONE_DAY,
    throttle: { rateLimit: 1000, burstLimit: 1000 },
    sourceMaps: true,
    data: 'disposable',
  },
  /** For a first deployment, which needs only an AWS account. */
  dev: {
    tokens: { profile: 'own-user-pool' },
    logRetentionDays: RetentionDays.ONE_WEEK,
    throttle: { rateLimit: 50, burstLimit: 100 },
    sourceMaps: true,
    data: 'disposable',
  },
  /** Like prod, for testing a release first: with test users, and without alarms that notify. */
  staging: {
    tokens: issuedBy('https://login.staging.example.com/'),
    logRetentionDays: RetentionDays.ONE_MONTH,
    throttle: { rateLimit: 100, burstLimit: 200 },
    release: 'canary',
    data: 'protected',
  },
  prod: {
    tokens: issuedBy('https://login.example.com/'),
    logRetentionDays: RetentionDays.ONE_YEAR,
    throttle: { rateLimit: 1000, burstLimit: 2000 },
    release: 'canary',
    alarmRecipients: ['oncall@example.com'],
    data: 'protected',
  },
} as const satisfies Readonly<Record<string, Omit<Stage, 'name'>>>;

export const stages: readonly Stage[] = Object.entries(recorded).map(([name, settings]) => ({
  name,
  ...settings,
}));

/**
 * The recorded stage with this name. Any other name is that of a personal stage: the settings of `shared`,
 * but with disposable data, and without domain, existing table, canary and alarms.
 * @throws {StageError} when no stage can have the name
 */
export const stageNamed = (name: string, shared: Omit<Stage, 'name'> = recorded.dev): Stage => {
  const stage = stages.find((known) => known.name === name);
  if (stage !== undefined) return stage;
  if (!/^dev-[a-z0-9](?:[a-z0-9-]{0,28}[a-z0-9])?$/.test(name)) {
    throw new StageError(
      `There is no stage "${name}": choose ${Object.keys(recorded).join(', ')} or a personal one, "dev-" ` +
        'and 1 to 30 lower case letters, digits or hyphens, without a hyphen at the ends, as in dev-anna.',
    );
  }
  const notShared = {
    domain: undefined,
    tableName: undefined,
    release: undefined,
    alarmRecipients: undefined,
  };
  return { ...shared, ...notShared, name, data: 'disposable' };
};
