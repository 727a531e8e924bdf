import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { z } from 'zod';

const atLeastOne = z.int().min(1);
const notEmpty = z.string().min(1);
/** The rule completes the sentence “It …”. */
const text = (pattern: RegExp, rule?: string): z.ZodString => z.string().regex(pattern, rule);
// With a symmetric algorithm, every holder of the key could forge tokens.
const algorithm = z.enum(['RS256', 'ES256', 'EdDSA']);

const httpsUrl = 'must be an https URL';
const tokenPolicy = {
  issuer: z.url(httpsUrl),
  /** Where the issuer publishes its signing keys (RFC 7517 section 5). */
  jwksUri: z.url(httpsUrl),
  algorithms: z.array(algorithm).min(1).readonly(),
  /** A scope that every token must have (RFC 6749 section 3.3). Only this excludes Entra's ID tokens. */
  requiredScope: text(/^[!#-[\]-~]+$/, 'must be one scope without spaces').optional(),
};
const clientId = text(/^[^,\s]+$/);
const tokens = z.discriminatedUnion(
  'profile',
  [
    z.object({
      ...tokenPolicy,
      profile: z.enum(['rfc9068', 'oidc']),
      audience: notEmpty,
      groupsClaim: notEmpty,
    }),
    z.object({
      ...tokenPolicy,
      profile: z.literal('cognito'),
      clientIds: z.array(clientId).min(1).readonly(),
      groupsClaim: z.literal('cognito:groups'),
    }),
    /** The stack's own Cognito user pool, so that the first deployment has no prerequisites. */
    z.object({ profile: z.literal('own-user-pool') }),
  ],
  'must be rfc9068, oidc, cognito or own-user-pool',
);

const recorded = z.enum(['local', 'dev', 'staging', 'prod']);
const names = recorded.options.join(', ');
const personalName = z.templateLiteral(['dev-', text(/^[a-z0-9](?:[a-z0-9-]{0,28}[a-z0-9])?$/)]);

const domainName = 'must be a domain name such as plants.example.com, in lower case';
const origin = text(/^https?:\/\/[^/\s*]+$/, 'must be origins such as https://plants.example.com');
const recipients = 'must be different addresses, such as oncall@example.com or https://pager.example.com';
const recipient = text(/^(?:[^@\s]+@[^@\s]+\.[^@\s]+|https:\/\/\S+)$/, recipients);

const stageFields = z.object({
  name: z.union([recorded, personalName], `must be ${names} or a personal one`),
  /** The only AWS account that the stage may be deployed to; default: that of the login. */
  account: text(/^\d{12}$/).exactOptional(),
  /** The Region that the stage is deployed to; default: that of the login. */
  region: text(/^[a-z]+(?:-[a-z]+)+-\d+$/).exactOptional(),
  architecture: z.enum(['arm64', 'x86_64']),
  tokens: tokens.readonly(),
  /** Replaces the endpoint of DynamoDB in the Region. */
  storeEndpoint: z.string().optional(),
  /**
   * An existing table, such as a restored one, in place of the stack's own. Deploy a change with `urgent`:
   * versions share a role, so during a canary the old one would lose its table (docs/runbook.md).
   */
  tableName: z.string().optional(),
  /** How long the gateway caches the authorizer's response for a token, in seconds; 0 disables the cache. */
  authorizerCacheSeconds: z.int().min(0).max(3600),
  /** Overrides functions' memory in MB, by their ids in the stack. Lambda assigns CPU in proportion to it. */
  memoryMb: z.record(z.string(), z.int().min(128).max(10_240)).readonly(),
  logRetentionDays: z.enum(RetentionDays).exclude(['INFINITE']),
  /** Requests per second, sustained and in a burst, before the gateway responds with 429. */
  throttle: z.object({ rateLimit: atLeastOne, burstLimit: atLeastOne }).readonly(),
  /** The account's Lambda concurrency (docs/pipeline.md), a second limit for the alarm `NearThrottle`. */
  lambdaConcurrency: atLeastOne.optional(),
  /** Web origins whose pages can call the API, such as `https://plants.example.com`. */
  corsOrigins: z.array(origin).readonly(),
  /** A custom domain name or `*.example.com`, with a certificate in the Region. You create the DNS record. */
  domain: z
    .object({
      name: text(/^(?:\*\.)?(?:[a-z0-9-]+\.)+[a-z0-9-]{2,}$/, domainName),
      certificateArn: text(/^arn:[\w-]+:acm:/),
    })
    .readonly()
    .optional(),
  /** `canary` gives a new version 10 % of the traffic for ten minutes, and rolls it back on an alarm. */
  release: z.enum(['canary', 'at-once']),
  /**
   * E-mail addresses, whose owners must confirm the first mail, or https addresses, such as a pager's, which
   * may contain a secret. Without recipients, a stage has only the alarms that roll a canary back.
   */
  alarmRecipients: z
    .array(recipient)
    .refine((all) => new Set(all).size === all.length, recipients)
    .refine((all) => all.filter(isEmail).length <= 10, 'must be at most 10 e-mail addresses (AWS Budgets)')
    .readonly(),
  /** Of the whole account. E-mail recipients get a mail at 80 %, and when the forecast is over 100 %. */
  monthlyBudgetDollars: z.number().positive(),
  /** Stack traces with lines of the TypeScript source; adds 6 to 13 % to a cold start. */
  sourceMaps: z.boolean(),
  /** `disposable`: deleted with the stack. `protected`: outlives it, and can be restored to any second. */
  data: z.enum(['disposable', 'protected']),
});

/** The settings that differ between deployments of the service. */
export type Stage = Readonly<z.infer<typeof stageFields>>;
export type Tokens = Stage['tokens'];

/** Whether a recipient of alarms is an e-mail address, not an https address. */
export const isEmail = (recipient: string): boolean => !recipient.startsWith('https://');

// Over http, anyone in the network could replace the keys and forge tokens.
const https = /^https:/;
const httpsOrThisMachine = /^https:|^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?(?:\/|$)/;
const stageSchema = stageFields.superRefine(({ name, tokens, tableName, data }, context) => {
  const refuse = (message: string, ...path: readonly string[]): void => {
    context.addIssue({ code: 'custom', path: [...path], message });
  };
  if (tableName !== undefined && data !== 'protected') refuse('is only for protected data', 'tableName');
  if (tokens.profile === 'own-user-pool') return;
  const trusted = name === 'local' ? httpsOrThisMachine : https;
  if (!trusted.test(tokens.issuer)) refuse(httpsUrl, 'tokens', 'issuer');
  if (!trusted.test(tokens.jwksUri)) refuse(httpsUrl, 'tokens', 'jwksUri');
});

/** An invalid value in a stage's record. The message is a sentence that names it. */
export class StageError extends Error {
  override readonly name = 'StageError';
}

/**
 * Checks a stage's record at run time, because Node.js removes types without checking them.
 * @throws {StageError} with the stage, the field and the rule of the first invalid value
 */
export const checkStage = (stage: Stage): Stage => {
  const [issue] = stageSchema.safeParse(stage).error?.issues ?? [];
  if (issue === undefined) return stage;
  // A rule is about the whole list, so an item's index is left out.
  const field = issue.path.filter((each) => typeof each === 'string').join('.');
  throw new StageError(`Stage "${stage.name}": ${field}: ${issue.message}. Correct it in infra/stages.ts.`);
};

/**
 * The stage of one person or pull request: `dev` under its own name, without the domain, which only one API
 * can have, and without anything that is charged by the month or outlives the stack.
 * @throws {StageError} when the name is not allowed
 */
export const personalStage = (dev: Stage, name: string): Stage => {
  const { data: allowed } = personalName.safeParse(name);
  if (allowed === undefined) {
    throw new StageError(
      `There is no stage "${name}": choose ${names} or a personal one, which is "dev-" and 1 to 30 ` +
        'lower case letters, digits or hyphens, with a letter or digit first and last, as in dev-anna.',
    );
  }
  return {
    ...dev,
    name: allowed,
    release: 'at-once',
    alarmRecipients: [],
    domain: undefined,
    tableName: undefined,
    data: 'disposable',
  };
};
