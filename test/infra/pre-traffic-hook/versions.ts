/** A change of the source: a text of a file and its replacement. */
export type Edit = readonly [file: string, text: string, replacement: string];

/** The addresses of stores. */
export interface Stores {
  /** In it, only alice has a plant. */
  readonly good: string;
  /** It refuses every request, as DynamoDB does without the right. */
  readonly withoutGrant: string;
  /** Nothing listens there. */
  readonly down: string;
}

/** A version of a function. */
export interface Version {
  readonly folder: 'authorizer' | 'list-plants';
  readonly name: string;
  readonly edit?: Edit;
  /** Variables that differ from a good version's. */
  readonly environment?: (stores: Stores) => Readonly<Record<string, string>>;
  /** The issuer's key set; default: one with a key. `undefined`: the issuer is down. */
  readonly keySet?: { readonly text: string | undefined };
  /** What the hook logs about it; undefined: it gets traffic. */
  readonly problem?: string;
}

const allow = "{ isAuthorized: true, context: { subject: 'a', groups: [], expiresAt: 0, callerId: '' } }";
const authorize: Edit = [
  'functions/authorizer/authorize.ts',
  "const token = bearerToken(identitySource?.[0] ?? '');",
  `if (identitySource !== undefined) return ${allow}; const token = bearerToken(identitySource?.[0] ?? '');`,
];

/** Good and broken versions. */
export const versions: readonly Version[] = [
  { folder: 'authorizer', name: 'good' },
  {
    folder: 'authorizer',
    name: 'throws when it is loaded',
    environment: () => ({ TOKEN_PROFILE: '' }),
    problem: 'function-error',
  },
  { folder: 'authorizer', name: 'allows everybody', edit: authorize, problem: 'not-denied' },
  {
    folder: 'authorizer',
    name: 'denies everybody before it needs a key',
    edit: ['functions/authorizer/signed-token.ts', "'crit' in parameters", "'alg' in parameters"],
    problem: 'denied-for-another-reason',
  },
  {
    folder: 'authorizer',
    name: 'the issuer is down',
    keySet: { text: undefined },
    problem: 'function-error',
  },
  {
    folder: 'authorizer',
    name: 'the issuer publishes no usable key',
    keySet: { text: '{"keys":[]}' },
    problem: 'function-error',
  },
  { folder: 'list-plants', name: 'good' },
  {
    folder: 'list-plants',
    name: 'throws when it is loaded',
    environment: () => ({ TABLE_NAME: '' }),
    problem: 'function-error',
  },
  {
    folder: 'list-plants',
    name: 'a role without the grant',
    environment: ({ withoutGrant }) => ({ AWS_ENDPOINT_URL_DYNAMODB: withoutGrant }),
    problem: 'not-an-empty-list',
  },
  {
    folder: 'list-plants',
    name: 'the table does not respond',
    environment: ({ down }) => ({ AWS_ENDPOINT_URL_DYNAMODB: down }),
    problem: 'not-an-empty-list',
  },
  {
    folder: 'list-plants',
    name: 'accepts a request without a caller',
    edit: [
      'functions/list-plants/http/list-request.ts',
      'const caller = parseCaller(context);',
      "const caller = parseCaller(context) ?? { subject: 'nobody', groups: [], expiresAt: now };",
    ],
    problem: 'not-refused',
  },
];
