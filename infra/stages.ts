import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { type IssuedTokens, type Stage, StageError } from './stage.ts';

/** Defaults for every stage. */
const common = {
  architecture: 'arm64',
  corsOrigins: [],
  release: 'at-once',
  alarmRecipients: [],
  refusedPercent: 20,
  sourceMaps: true,
  data: 'disposable',
} as const satisfies Partial<Stage>;

/** docs/issuers.md has the settings for other issuers. */
const tokens = {
  profile: 'rfc9068',
  audience: 'plant-store',
  algorithms: ['RS256', 'ES256', 'EdDSA'],
  groupsClaim: 'groups',
} as const satisfies Partial<IssuedTokens>;

/** An address of this machine with the port that `npm start` uses. */
const loopback = (variable: string, port: number): string =>
  `http://127.0.0.1:${(process.env[variable] ?? '') || String(port)}`;
const localIssuer = loopback('ISSUER_PORT', 9000);

/** For a developer's machine: `npm start`, `sam local` or an emulator. */
const local: Stage = {
  ...common,
  name: 'local',
  // The machine's own, so that `sam local` can run the functions in containers.
  architecture: process.arch === 'arm64' ? 'arm64' : 'x86_64',
  tokens: { ...tokens, issuer: localIssuer, jwksUri: `${localIssuer}/.well-known/jwks.json` },
  storeEndpoint: loopback('STORE_PORT', 8000),
  logRetentionDays: RetentionDays.ONE_DAY,
  throttle: { rateLimit: 1000, burstLimit: 1000 },
};

/** For a first deployment: it needs only an AWS account. */
const dev: Stage = {
  ...common,
  name: 'dev',
  tokens: { profile: 'own-user-pool' },
  logRetentionDays: RetentionDays.ONE_WEEK,
  throttle: { rateLimit: 50, burstLimit: 100 },
};

/** Shared by staging and prod. */
const production = {
  ...common,
  release: 'canary',
  sourceMaps: false,
  data: 'protected',
} as const satisfies Partial<Stage>;

/** Like prod, with test users: a release is tested here first. */
const staging: Stage = {
  ...production,
  name: 'staging',
  tokens: {
    ...tokens,
    issuer: 'https://login.staging.example.com/',
    jwksUri: 'https://login.staging.example.com/.well-known/jwks.json',
  },
  logRetentionDays: RetentionDays.ONE_MONTH,
  throttle: { rateLimit: 100, burstLimit: 200 },
};

const prod: Stage = {
  ...production,
  name: 'prod',
  tokens: {
    ...tokens,
    issuer: 'https://login.example.com/',
    jwksUri: 'https://login.example.com/.well-known/jwks.json',
  },
  logRetentionDays: RetentionDays.ONE_YEAR,
  throttle: { rateLimit: 1000, burstLimit: 2000 },
  alarmRecipients: ['oncall@example.com'],
};

export const stages: readonly Stage[] = [local, dev, staging, prod];

/**
 * The stage with this name, or one of a person or pull request: `dev` without the domain, which only one API
 * can have, and without anything that is charged by the month or outlives the stack.
 * @throws {StageError} when no stage can have the name, or two have it
 */
export const stageNamed = (name: string, recordedStages = stages, shared = dev): Stage => {
  const [recorded, another] = recordedStages.filter((stage) => stage.name === name);
  if (another) throw new StageError(`Stage "${name}": name is used twice. Correct it in infra/stages.ts.`);
  if (recorded !== undefined) return recorded;
  if (!/^dev-[a-z0-9](?:[a-z0-9-]{0,28}[a-z0-9])?$/.test(name)) {
    const names = stages.map((stage) => stage.name).join(', ');
    throw new StageError(
      `There is no stage "${name}": choose ${names} or a personal one, "dev-" and 1 to 30 lower case ` +
        'letters, digits or hyphens, with a letter or digit first and last, as in dev-anna.',
    );
  }
  const own = { domain: undefined, tableName: undefined, data: 'disposable' } as const;
  return { ...shared, ...own, name, release: 'at-once', alarmRecipients: [] };
};
