import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { z } from 'zod';

const hostsOfThisMachine = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** https, because anyone who can change the key set in transit can forge tokens. */
const issuerUrl = z.url({ protocol: /^https?$/, error: 'must be an https URL' });

const tokenPolicy = {
  /** The exact `iss` of accepted tokens. */
  issuer: issuerUrl,
  /** Where the issuer publishes its signing keys (RFC 7517 section 5). */
  jwksUri: issuerUrl,
  /** Accepted JWS algorithms (RFC 7518 section 3.1). With a symmetric one, every holder of the key could forge tokens. */
  algorithms: z
    .array(z.enum(['RS256', 'ES256', 'EdDSA'], { error: 'must be RS256, ES256 or EdDSA' }))
    .min(1, 'must name at least one algorithm'),
  /** The claim that lists the caller's groups. */
  groupsClaim: z.string().min(1, 'must not be empty'),
  /** A scope that every token must have (RFC 6749 section 3.3). Only this tells Entra's ID tokens from access tokens. */
  requiredScope: z
    .string()
    .regex(/^[!#-[\]-~]+$/, 'must be one scope without spaces')
    .optional(),
};

const audience = z.string().min(1, 'must not be empty');

const functionSize = z.strictObject({
  /** Memory in MB; Lambda assigns CPU in proportion. */
  memoryMb: z
    .int('must be a whole number')
    .min(128, 'must be at least 128 (MB)')
    .max(10_240, 'must be at most 10240 (MB)'),
});

const personalName = z.templateLiteral(['dev-', z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,28}[a-z0-9])?$/)]);

const stageSchema = z.strictObject({
  name: z.union([z.enum(['local', 'dev', 'staging', 'prod']), personalName], {
    error: 'must be local, dev, staging or prod',
  }),
  /** The only AWS account that the stage may be deployed to; undefined: that of the login. */
  account: z
    .string()
    .regex(/^\d{12}$/, 'must be the 12 digits of an AWS account')
    .optional(),
  /** The only Region that the stage may be deployed to; undefined: that of the login. */
  region: z
    .string()
    .regex(/^[a-z]+(?:-[a-z]+)+-\d+$/, 'must be an AWS Region such as eu-central-1')
    .optional(),
  architecture: z.enum(['arm64', 'x86_64'], { error: 'must be arm64 or x86_64' }),
  tokens: z.discriminatedUnion(
    'profile',
    [
      z.strictObject({ profile: z.literal('rfc9068'), audience, ...tokenPolicy }),
      z.strictObject({ profile: z.literal('oidc'), audience, ...tokenPolicy }),
      z.strictObject({
        profile: z.literal('cognito'),
        clientIds: z
          .array(z.string().regex(/^[^,\s]+$/, 'must hold client ids without commas or spaces'))
          .min(1, 'must name at least one client'),
        ...tokenPolicy,
        groupsClaim: z.literal('cognito:groups', 'must be cognito:groups'),
      }),
      // The stack creates its own Cognito user pool, so that the first deployment has no prerequisites.
      z.strictObject({ profile: z.literal('own-user-pool') }),
    ],
    { error: 'must be rfc9068, oidc, cognito or own-user-pool' },
  ),
  /** Replaces the endpoint of DynamoDB in the Region. */
  storeEndpoint: z.url('must be a URL').optional(),
  /** How long the gateway caches the authorizer's response for a token, in seconds; 0 disables the cache. */
  authorizerCacheSeconds: z
    .int('must be a whole number')
    .min(0, 'must be at least 0 (seconds)')
    .max(3600, 'must be at most 3600 (seconds)'),
  listPlants: functionSize,
  authorizer: functionSize,
  /** In days. */
  logRetentionDays: z
    .enum(RetentionDays, { error: 'must be one of the RetentionDays of CloudWatch Logs' })
    .refine((days) => days !== RetentionDays.INFINITE, 'must not be infinite'),
  /** Requests per second, sustained and in a burst, before the gateway responds with 429. */
  throttle: z.strictObject({
    rateLimit: z.int('must be a whole number').min(1, 'must be at least 1 (requests per second)'),
    burstLimit: z.int('must be a whole number').min(1, 'must be at least 1 (requests)'),
  }),
  /** Web origins whose pages can call the API, such as `https://plants.example.com`; none: no CORS headers. */
  corsOrigins: z.array(
    z.string().regex(/^https?:\/\/[^/\s*]+$/, 'must be an origin such as https://plants.example.com'),
  ),
  /** A custom domain name, also `*.example.com`, with the ARN of its certificate in the stack's Region. You create the DNS record. */
  domain: z
    .strictObject({
      name: z
        .string()
        .regex(
          /^(?:\*\.)?(?:[a-z0-9-]+\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)$/,
          'must be a domain name such as plants.example.com, in lower case',
        ),
      certificateArn: z
        .string()
        .regex(
          /^arn:aws[\w-]*:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/,
          'must be the ARN of an ACM certificate',
        ),
    })
    .optional(),
  /** The `--qualifier` of the stage's own `cdk bootstrap`, for two stages in one account (docs/pipeline.md). */
  bootstrapQualifier: z
    .string()
    .regex(/^[a-z0-9]{1,10}$/, 'must be 1 to 10 lower case letters and digits')
    .optional(),
  /** `canary` shifts 10 % of the traffic to a new version for five minutes, and rolls back when an alarm goes off. */
  release: z.enum(['canary', 'at-once'], { error: 'must be canary or at-once' }),
  /** The recipients of alarms; each must confirm the first mail. Undefined: no alarms and no dashboard. */
  alarmEmails: z
    .array(z.email('must be an e-mail address'))
    .max(10, 'must have at most 10 addresses, the limit of AWS Budgets')
    .refine((addresses) => new Set(addresses).size === addresses.length, 'must not repeat an address')
    .optional(),
  /** What the account may cost in a month, in US dollars; the recipients of alarms get a mail when it costs more. */
  monthlyBudgetDollars: z.number('must be a number').positive('must be more than 0 (US dollars)'),
  /** Stack traces with lines of the TypeScript source; adds 6 to 13 % to a cold start. */
  sourceMaps: z.boolean('must be true or false'),
  /** `disposable` data is deleted with the stack; `protected` data outlives it and can be restored to any second. */
  data: z.enum(['disposable', 'protected'], { error: 'must be disposable or protected' }),
});

/** The settings that differ between deployments of the service. */
export type Stage = Readonly<z.infer<typeof stageSchema>>;

/** A stage's record has an invalid value. The message is a sentence that names it. */
export class StageError extends Error {
  override readonly name = 'StageError';
}

const isPlainHttpToAnotherHost = (url: string): boolean => {
  const { protocol, host } = new URL(url);
  return protocol !== 'https:' && !hostsOfThisMachine.has(host.replace(/:\d+$/, ''));
};

/**
 * Checks one stage's record.
 * @throws {StageError} with the stage, the field and the rule of the first invalid value
 */
export const checkStage = (stage: Stage): Stage => {
  const wrong = (field: string, rule: string): StageError =>
    new StageError(`Stage "${stage.name}": ${field} ${rule}. Correct it in infra/stages.ts.`);

  const { error } = stageSchema.safeParse(stage);
  const [issue] = error?.issues ?? [];
  if (issue) throw wrong(issue.path.join('.') || 'the record', issue.message);
  if (stage.release === 'canary' && stage.alarmEmails === undefined) {
    throw wrong('alarmEmails', 'must be set for a canary, which an alarm rolls back; it may be empty');
  }
  if (stage.tokens.profile === 'own-user-pool') return stage;
  for (const field of ['issuer', 'jwksUri'] as const) {
    const url = stage.tokens[field];
    if (stage.name === 'local' ? isPlainHttpToAnotherHost(url) : !url.startsWith('https:')) {
      throw wrong(`tokens.${field}`, 'must be an https URL');
    }
  }
  return stage;
};

/**
 * The stage of one person or pull request: `dev` under a name of its own. It has no alarms and no dashboard, which cost
 * money and have no readers, no domain, which can belong to one API only, and no data that outlives it.
 * @throws {StageError} when the name is not allowed
 */
export const personalStage = (dev: Stage, name: string): Stage => {
  const { data } = personalName.safeParse(name);
  if (data !== undefined)
    return {
      ...dev,
      name: data,
      release: 'at-once',
      alarmEmails: undefined,
      domain: undefined,
      data: 'disposable',
    };
  throw new StageError(
    `PlantStore-${name} is not an allowed name: "PlantStore-dev-" must be followed by 1 to 30 lower case letters, digits or hyphens, with a letter or digit first and last, as in PlantStore-dev-anna.`,
  );
};
