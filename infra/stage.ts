import type { RetentionDays } from 'aws-cdk-lib/aws-logs';

interface TokenPolicy {
  /** The exact `iss` of accepted tokens. */
  readonly issuer: string;
  /** Where the issuer publishes its signing keys (RFC 7517 section 5). */
  readonly jwksUri: string;
  /** Accepted JWS algorithms (RFC 7518 section 3.1). */
  readonly algorithms: readonly ('RS256' | 'ES256' | 'EdDSA')[];
  /** The claim that lists the caller's groups. */
  readonly groupsClaim: string;
  /** A scope that every token must have (RFC 6749 section 3.3). Only this tells Entra's ID tokens from access tokens. */
  readonly requiredScope?: string | undefined;
}

/** Which tokens the authorizer accepts. */
export type Tokens =
  | (TokenPolicy & { readonly profile: 'rfc9068' | 'oidc'; readonly audience: string })
  | (TokenPolicy & { readonly profile: 'cognito'; readonly clientIds: readonly string[] })
  /** The stack creates its own Cognito user pool, so that the first deployment has no prerequisites. */
  | { readonly profile: 'own-user-pool' };

/** The settings that differ between deployments of the service. */
export interface Stage {
  readonly name: 'local' | 'dev' | 'staging' | 'prod' | `dev-${string}`;
  /** The only AWS account that the stage may be deployed to; undefined: that of the login. */
  readonly account?: string;
  /** The Region that the stage is deployed to; undefined: that of the login. */
  readonly region?: string;
  readonly architecture: 'arm64' | 'x86_64';
  readonly tokens: Tokens;
  /** Replaces the endpoint of DynamoDB in the Region. */
  readonly storeEndpoint?: string | undefined;
  /** An existing table, such as a restored one, in place of a table of the stack's own (docs/runbook.md). */
  readonly tableName?: string | undefined;
  /** How long the gateway caches the authorizer's response for a token, in seconds; 0 disables the cache. */
  readonly authorizerCacheSeconds: number;
  /** Memory in MB of functions by their ids in the stack, in place of the stack's. Lambda assigns CPU in proportion to it. */
  readonly memoryMb: Readonly<Record<string, number>>;
  readonly logRetentionDays: Exclude<RetentionDays, RetentionDays.INFINITE>;
  /** Requests per second, sustained and in a burst, before the gateway responds with 429. */
  readonly throttle: { readonly rateLimit: number; readonly burstLimit: number };
  /** Web origins whose pages can call the API, such as `https://plants.example.com`; none: no CORS headers. */
  readonly corsOrigins: readonly string[];
  /** A custom domain name, also `*.example.com`, with the ARN of its certificate in the stack's Region. You create the DNS record. */
  readonly domain?: { readonly name: string; readonly certificateArn: string } | undefined;
  /** `canary` shifts 10 % of the traffic to a new version for five minutes, and rolls back when an alarm goes off. */
  readonly release: 'canary' | 'at-once';
  /** The recipients of alarms; each must confirm the first mail. With none, only a canary has alarms and a dashboard. */
  readonly alarmEmails: readonly string[];
  /** What the account may cost in a month, in US dollars; the recipients of alarms get a mail when it costs more. */
  readonly monthlyBudgetDollars: number;
  /** Stack traces with lines of the TypeScript source; adds 6 to 13 % to a cold start. */
  readonly sourceMaps: boolean;
  /** `disposable` data is deleted with the stack; `protected` data outlives it and can be restored to any second. */
  readonly data: 'disposable' | 'protected';
}

/** A stage's record has an invalid value. The message is a sentence that names it. */
export class StageError extends Error {
  override readonly name = 'StageError';
}

const isPersonal = (name: string): name is `dev-${string}` =>
  /^dev-[a-z0-9](?:[a-z0-9-]{0,28}[a-z0-9])?$/.test(name);

/**
 * The stage of one person or pull request: `dev` under a name of its own, without a domain, which can belong to one API
 * only, and with nothing that costs money by the month or outlives the stack.
 * @throws {StageError} when the name is not allowed
 */
export const personalStage = (dev: Stage, name: string): Stage => {
  if (isPersonal(name)) {
    return {
      ...dev,
      name,
      release: 'at-once',
      alarmEmails: [],
      domain: undefined,
      tableName: undefined,
      data: 'disposable',
    };
  }
  throw new StageError(
    `"${name}" is not an allowed name of a stage: "dev-" must be followed by 1 to 30 lower case letters, digits or hyphens, with a letter or digit first and last, as in dev-anna.`,
  );
};
