import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { type Stage, StageError } from './stage.ts';

/** A field, whether its value is valid, and what the value must be. */
type Rule = readonly [field: string, isValid: boolean, rule: string];

const isWhole = (value: number, min: number, max: number): boolean =>
  Number.isInteger(value) && value >= min && value <= max;

/** Whether a text, if there is one, matches. */
const fits = (text: string | undefined, pattern: RegExp): boolean => text === undefined || pattern.test(text);

/** Over http, anyone in the network could replace the keys and forge tokens. */
const isTrusted = (stage: Stage, address: string): boolean => {
  const url = URL.parse(address);
  const isOnThisMachine = ['127.0.0.1', 'localhost', '[::1]'].includes(url?.hostname ?? '');
  const isLocal = stage.name === 'local' && url?.protocol === 'http:' && isOnThisMachine;
  return url?.protocol === 'https:' || isLocal;
};

const tokenRules = (stage: Stage): readonly Rule[] => {
  const { tokens } = stage;
  if (tokens.profile === 'own-user-pool') return [];
  const { profile, issuer, jwksUri, algorithms, groupsClaim, requiredScope } = tokens;
  const isKnown = ['rfc9068', 'oidc', 'cognito'].includes(profile);
  // With a symmetric algorithm, every holder of the key could forge tokens.
  const isAsymmetric = algorithms.every((each) => ['RS256', 'ES256', 'EdDSA'].includes(each));
  const own: readonly Rule[] =
    tokens.profile === 'cognito'
      ? [
          ['tokens.groupsClaim', groupsClaim === 'cognito:groups', 'must be cognito:groups'],
          ['tokens.clientIds', /^[^,\s]+(?:,[^,\s]+)*$/.test(tokens.clientIds.join()), 'must be client ids'],
        ]
      : [
          ['tokens.groupsClaim', groupsClaim !== '', 'must not be empty'],
          ['tokens.audience', tokens.audience !== '', 'must not be empty'],
        ];
  return [
    ['tokens.profile', isKnown, 'must be rfc9068, oidc, cognito or own-user-pool'],
    ['tokens.issuer', isTrusted(stage, issuer), 'must be an https URL'],
    ['tokens.jwksUri', isTrusted(stage, jwksUri), 'must be an https URL'],
    ['tokens.algorithms', algorithms.length > 0 && isAsymmetric, 'must be some of RS256, ES256 and EdDSA'],
    ['tokens.requiredScope', fits(requiredScope, /^[!#-[\]-~]+$/), 'must be one scope without spaces'],
    ...own,
  ];
};

const rulesOf = (stage: Stage): readonly Rule[] => {
  const { alarmEmails, corsOrigins, data, domain, logRetentionDays, throttle } = stage;
  const ttl = stage.authorizerCacheSeconds;
  const memory = 'must be a whole number from 128 to 10240 (MB)';
  const atLeastOne = 'must be a whole number of at least 1';
  const isName = fits(domain?.name, /^(?:\*\.)?(?:[a-z0-9-]+\.)+[a-z0-9-]{2,}$/);
  const areOrigins = corsOrigins.every((origin) => fits(origin, /^https?:\/\/[^/\s*]+$/));
  const areAddresses = alarmEmails.every((email) => fits(email, /^[^@\s]+@[^@\s]+\.[^@\s]+$/));
  const areDifferent = new Set(alarmEmails).size === alarmEmails.length;
  const isKept = logRetentionDays in RetentionDays && isWhole(logRetentionDays, 1, 3653);
  return [
    ['name', fits(stage.name, /^(?:local|dev|staging|prod|dev-.+)$/), 'must be local, dev, staging or prod'],
    ['account', fits(stage.account, /^\d{12}$/), 'must be the 12 digits of an AWS account'],
    ['region', fits(stage.region, /^[a-z]+(?:-[a-z]+)+-\d+$/), 'must be one such as eu-central-1'],
    ['architecture', fits(stage.architecture, /^(?:arm64|x86_64)$/), 'must be arm64 or x86_64'],
    ...tokenRules(stage),
    ['data', fits(data, /^(?:disposable|protected)$/), 'must be disposable or protected'],
    ['tableName', stage.tableName === undefined || data === 'protected', 'is only for protected data'],
    ['authorizerCacheSeconds', isWhole(ttl, 0, 3600), 'must be a whole number from 0 to 3600 (seconds)'],
    ...Object.entries(stage.memoryMb).map(([id, size]): Rule => [
      `memoryMb.${id}`,
      isWhole(size, 128, 10_240),
      memory,
    ]),
    ['logRetentionDays', isKept, 'must be one of the finite RetentionDays of CloudWatch Logs'],
    ['throttle.rateLimit', isWhole(throttle.rateLimit, 1, Infinity), atLeastOne],
    ['throttle.burstLimit', isWhole(throttle.burstLimit, 1, Infinity), atLeastOne],
    ['corsOrigins', areOrigins, 'must be origins such as https://plants.example.com'],
    ['domain.name', isName, 'must be a domain name such as plants.example.com, in lower case'],
    [
      'domain.certificateArn',
      fits(domain?.certificateArn, /^arn:[\w-]+:acm:/),
      'must be the ARN of one of ACM',
    ],
    ['release', fits(stage.release, /^(?:canary|at-once)$/), 'must be canary or at-once'],
    ['alarmEmails', areAddresses && areDifferent, 'must be different e-mail addresses'],
    ['alarmEmails', alarmEmails.length <= 10, 'must be at most 10 addresses, the limit of AWS Budgets'],
    ['monthlyBudgetDollars', stage.monthlyBudgetDollars > 0, 'must be more than 0 (US dollars)'],
  ];
};

/**
 * Checks what the types of a stage's record cannot express, and what would harm a deployment that nobody type-checked.
 * @throws {StageError} with the stage, the field and the rule of the first invalid value
 */
export const checkStage = (stage: Stage): Stage => {
  for (const [field, isValid, rule] of rulesOf(stage)) {
    const sentence = `Stage "${stage.name}": ${field} ${rule}. Correct it in infra/stages.ts.`;
    if (!isValid) throw new StageError(sentence);
  }
  return stage;
};
