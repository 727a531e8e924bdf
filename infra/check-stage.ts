import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { type Stage, StageError } from './stage.ts';

/** A field, whether its value is valid, and what the value must be. */
type Rule = readonly [field: string, isValid: boolean, rule: string];

const isWhole = (value: number, min: number, max: number): boolean =>
  Number.isInteger(value) && value >= min && value <= max;

/** Over http, anyone in the network could replace the keys and forge tokens. */
const isTrusted = (stage: Stage, address: string): boolean => {
  const url = URL.parse(address);
  const isOnThisMachine = ['127.0.0.1', 'localhost', '[::1]'].includes(url?.hostname ?? '');
  return (
    url?.protocol === 'https:' || (stage.name === 'local' && url?.protocol === 'http:' && isOnThisMachine)
  );
};

const tokenRules = (stage: Stage): readonly Rule[] => {
  const { tokens } = stage;
  if (tokens.profile === 'own-user-pool') return [];
  const { algorithms, groupsClaim, requiredScope } = tokens;
  // With a symmetric algorithm, every holder of the key could forge tokens.
  const isAsymmetric = algorithms.every((each) => ['RS256', 'ES256', 'EdDSA'].includes(each));
  const profiles = ['rfc9068', 'oidc', 'cognito'];
  const isClientId = (id: string): boolean => /^[^,\s]+$/.test(id);
  return [
    ['tokens.profile', profiles.includes(tokens.profile), 'must be rfc9068, oidc, cognito or own-user-pool'],
    ['tokens.issuer', isTrusted(stage, tokens.issuer), 'must be an https URL'],
    ['tokens.jwksUri', isTrusted(stage, tokens.jwksUri), 'must be an https URL'],
    ['tokens.algorithms', algorithms.length > 0 && isAsymmetric, 'must be some of RS256, ES256 and EdDSA'],
    [
      'tokens.requiredScope',
      /^[!#-[\]-~]+$/.test(requiredScope ?? 'none'),
      'must be one scope without spaces',
    ],
    ...(tokens.profile === 'cognito'
      ? ([
          ['tokens.groupsClaim', groupsClaim === 'cognito:groups', 'must be cognito:groups'],
          [
            'tokens.clientIds',
            tokens.clientIds.length > 0 && tokens.clientIds.every(isClientId),
            'must be client ids without commas or spaces',
          ],
        ] as const)
      : ([
          ['tokens.groupsClaim', groupsClaim !== '', 'must not be empty'],
          ['tokens.audience', tokens.audience !== '', 'must not be empty'],
        ] as const)),
  ];
};

const rulesOf = (stage: Stage): readonly Rule[] => {
  const { account, alarmEmails, corsOrigins, data, domain, listPlants, authorizer, tableName, throttle } =
    stage;
  const memory = 'must be a whole number from 128 to 10240 (MB)';
  const rate = 'must be a whole number of at least 1';
  const isAddress = (email: string): boolean => /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email);
  const isOrigin = (origin: string): boolean => /^https?:\/\/[^/\s*]+$/.test(origin);
  const isCertificate = (arn?: string): boolean => arn === undefined || /^arn:[\w-]+:acm:/.test(arn);
  return [
    ['name', /^(?:local|dev|staging|prod|dev-.+)$/.test(stage.name), 'must be local, dev, staging or prod'],
    ['architecture', ['arm64', 'x86_64'].includes(stage.architecture), 'must be arm64 or x86_64'],
    ['release', ['canary', 'at-once'].includes(stage.release), 'must be canary or at-once'],
    ['data', ['disposable', 'protected'].includes(data), 'must be disposable or protected'],
    [
      'logRetentionDays',
      stage.logRetentionDays in RetentionDays,
      'must be one of the RetentionDays of CloudWatch Logs',
    ],
    [
      'region',
      /^[a-z]+(?:-[a-z]+)+-\d+$/.test(stage.region ?? 'us-east-1'),
      'must be one such as eu-central-1',
    ],
    ['account', /^\d{12}$/.test(account ?? '000000000000'), 'must be the 12 digits of an AWS account'],
    ...tokenRules(stage),
    [
      'tableName',
      tableName === undefined || data === 'protected',
      'needs data: protected, because the stack must not delete that table',
    ],
    [
      'authorizerCacheSeconds',
      isWhole(stage.authorizerCacheSeconds, 0, 3600),
      'must be a whole number from 0 to 3600',
    ],
    ['listPlants.memoryMb', isWhole(listPlants.memoryMb, 128, 10_240), memory],
    ['authorizer.memoryMb', isWhole(authorizer.memoryMb, 128, 10_240), memory],
    ['throttle.rateLimit', isWhole(throttle.rateLimit, 1, Infinity), rate],
    ['throttle.burstLimit', isWhole(throttle.burstLimit, 1, Infinity), rate],
    ['corsOrigins', corsOrigins.every(isOrigin), 'must be origins such as https://plants.example.com'],
    [
      'domain.name',
      /^(?:\*\.)?(?:[a-z0-9-]+\.)+[a-z0-9-]{2,}$/.test(domain?.name ?? 'a.example'),
      'must be a domain name in lower case, such as plants.example.com',
    ],
    ['domain.certificateArn', isCertificate(domain?.certificateArn), 'must be the ARN of an ACM certificate'],
    [
      'alarmEmails',
      alarmEmails.every(isAddress) && new Set(alarmEmails).size === alarmEmails.length,
      'must be different e-mail addresses',
    ],
    ['alarmEmails', alarmEmails.length <= 10, 'must be at most 10 addresses, the limit of AWS Budgets'],
    ['monthlyBudgetDollars', stage.monthlyBudgetDollars > 0, 'must be more than 0 (US dollars)'],
  ];
};

/**
 * Checks what the types of a stage's record cannot express.
 * @throws {StageError} with the stage, the field and the rule of the first invalid value
 */
export const checkStage = (stage: Stage): Stage => {
  for (const [field, isValid, rule] of rulesOf(stage)) {
    if (!isValid)
      throw new StageError(`Stage "${stage.name}": ${field} ${rule}. Correct it in infra/stages.ts.`);
  }
  return stage;
};
