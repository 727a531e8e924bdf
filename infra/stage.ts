import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { z } from 'zod';

const hostsOfThisMachine = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** https everywhere, because whoever can change the key set on its way decides who comes in. */
const issuerUrl = z.url({ protocol: /^https?$/, error: 'must be an https URL' });

const tokenPolicy = {
  /** The exact `iss` of accepted tokens. */
  issuer: issuerUrl,
  /** Where the issuer publishes its signing keys (RFC 7517 section 5). */
  jwksUri: issuerUrl,
  /** JWS algorithms accepted (RFC 7518 section 3.1); a symmetric one would let key holders forge tokens. */
  algorithms: z
    .array(z.enum(['RS256', 'ES256', 'EdDSA'], { error: 'must be RS256, ES256 or EdDSA' }))
    .min(1, 'must name at least one algorithm'),
  /** The claim that lists the caller's groups. */
  groupsClaim: z.string().min(1, 'must not be empty'),
};

const audience = z.string().min(1, 'must not be empty');

const functionSize = z.strictObject({
  /** Memory in MB; Lambda gives CPU in proportion. */
  memoryMb: z
    .int('must be a whole number')
    .min(128, 'must be at least 128 (MB)')
    .max(10_240, 'must be at most 10240 (MB)'),
});

const stageSchema = z.strictObject({
  name: z.enum(['local', 'dev', 'staging', 'prod'], { error: 'must be local, dev, staging or prod' }),
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
      // A Cognito user pool of the stack's own, so that nothing has to be there before the first deployment.
      z.strictObject({ profile: z.literal('own-user-pool') }),
    ],
    { error: 'must be rfc9068, oidc, cognito or own-user-pool' },
  ),
  /** Where DynamoDB is, in place of the region's own; declared so that `sam local` can override it. */
  storeEndpoint: z.url('must be a URL').optional(),
  /** How long the gateway reuses an authorizer's answer for the same token, in seconds; 0 asks every time. */
  authorizerCacheSeconds: z
    .int('must be a whole number')
    .min(0, 'must be at least 0 (seconds)')
    .max(3600, 'must be at most 3600 (seconds)'),
  listPlants: functionSize,
  authorizer: functionSize,
  /** In days. */
  logRetentionDays: z
    .enum(RetentionDays, { error: 'must be one of the RetentionDays of CloudWatch Logs' })
    .refine((days) => days !== RetentionDays.INFINITE, 'must not be for ever'),
  /** Requests per second, steady and in a burst, before the gateway answers 429. */
  throttle: z.strictObject({
    rateLimit: z.int('must be a whole number').min(1, 'must be at least 1 (requests per second)'),
    burstLimit: z.int('must be a whole number').min(1, 'must be at least 1 (requests)'),
  }),
  /** Web origins whose pages may call the API, such as `https://plants.example.com`; none: no CORS headers. */
  corsOrigins: z.array(
    z.string().regex(/^https?:\/\/[^/\s*]+$/, 'must be an origin such as https://plants.example.com'),
  ),
  /** A name of your own for the API, with the ARN of its certificate in the stack's region; the DNS record is yours. */
  domain: z
    .strictObject({
      name: z
        .string()
        .regex(/^(?:[a-z0-9-]+\.)+[a-z]{2,}$/, 'must be a domain name such as plants.example.com'),
      certificateArn: z
        .string()
        .regex(
          /^arn:aws[\w-]*:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/,
          'must be the ARN of an ACM certificate',
        ),
    })
    .optional(),
  /** `canary` gives a new version 10 % of the traffic for five minutes, and takes it back when an alarm goes off. */
  release: z.enum(['canary', 'at-once'], { error: 'must be canary or at-once' }),
  /** Who is told when an alarm goes off; each confirms by a link in a first mail. Left out: no alarms, no dashboard. */
  alarmEmails: z.array(z.email('must be an e-mail address')).optional(),
  /** Stack traces in TypeScript lines; costs 6 to 13 % of a cold start. */
  sourceMaps: z.boolean('must be true or false'),
  /** `disposable` data goes with the stack; `protected` data survives it and can be restored to any second. */
  data: z.enum(['disposable', 'protected'], { error: 'must be disposable or protected' }),
});

/** Everything in which one deployment of the service differs from another. */
export type Stage = Readonly<z.infer<typeof stageSchema>>;

/** A stage's record holds a value that cannot be deployed; the message is a sentence for the person who wrote it. */
export class StageError extends Error {
  override readonly name = 'StageError';
}

const isPlainHttpToAnotherHost = (url: string): boolean => {
  const { protocol, host } = new URL(url);
  return protocol !== 'https:' && !hostsOfThisMachine.has(host.replace(/:\d+$/, ''));
};

/**
 * Checks one stage's record.
 * @throws {StageError} naming the stage, the field and the rule of the first wrong value
 */
export const checkStage = (stage: Stage): Stage => {
  const wrong = (field: string, rule: string): StageError =>
    new StageError(`Stage "${stage.name}": ${field} ${rule}. Correct it in infra/stages.ts.`);

  const { error } = stageSchema.safeParse(stage);
  const [issue] = error?.issues ?? [];
  if (issue) throw wrong(issue.path.join('.') || 'the record', issue.message);
  if (stage.release === 'canary' && stage.alarmEmails === undefined) {
    throw wrong('alarmEmails', 'must be there for a canary, which an alarm takes back; it may be empty');
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
