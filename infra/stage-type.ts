import type { RetentionDays } from 'aws-cdk-lib/aws-logs';

/** The settings that differ between deployments of the service. */
export interface Stage {
  /** The stack is `PlantStore-<name>`. */
  readonly name: string;
  /** The only AWS account that the stage may be deployed to; default: the account of the login. */
  readonly account?: string;
  /** The Region that the stage is deployed to; default: the Region of the login. */
  readonly region?: string;
  /** The processor of the functions; default: arm64. */
  readonly architecture?: 'arm64' | 'x86_64';
  /** Which tokens the authorizer accepts. */
  readonly tokens: IssuedTokens | { readonly profile: 'own-user-pool' };
  /** The address of another store, as on a machine of a developer; default: DynamoDB in the Region. */
  readonly storeEndpoint?: string;
  /**
   * An existing table, such as a restored one, in place of the stack's own. Deploy a change of this field
   * with `urgent`. All versions share a role, so during a canary, the old version would lose access to its
   * table (docs/runbook.md).
   */
  readonly tableName?: string;
  /** How long logs are kept. */
  readonly logRetentionDays: Exclude<RetentionDays, RetentionDays.INFINITE>;
  /** Requests per second, and the largest burst, before the gateway responds with 429. */
  readonly throttle: { readonly rateLimit: number; readonly burstLimit: number };
  /** Web origins whose pages can call the API, such as `https://plants.example.com`; default: none. */
  readonly corsOrigins?: readonly `http${'s' | ''}://${string}`[];
  /** A custom domain name, with a certificate in the Region. You create the DNS record. */
  readonly domain?: { readonly name: string; readonly certificateArn: string };
  /**
   * `canary`: a new version gets 10 % of the requests for ten minutes, and an alarm rolls it back; default: a
   * new version gets all requests at once.
   */
  readonly release?: 'canary';
  /**
   * E-mail addresses, whose owners must confirm the first mail, or https addresses, such as a pager's, which
   * may contain a secret. Without recipients, a stage has no dashboard, and only the alarms that roll
   * canaries back.
   */
  readonly alarmRecipients?: readonly (`https://${string}` | `${string}@${string}`)[];
  /** Percent of requests with a 4xx that fire `Refused`; default: 20. Raise it if 404 or 409 is ordinary. */
  readonly refusedPercent?: number;
  /** Stack traces with lines of the TypeScript source; adds 6 to 13 % to a cold start; default: without. */
  readonly sourceMaps?: boolean;
  /**
   * `disposable`: table and logs are deleted with the stack. `protected`: they outlive the stack, and the
   * table can be restored.
   */
  readonly data: 'disposable' | 'protected';
}

/** The tokens of an issuer. docs/issuers.md has the settings for common ones. */
export type IssuedTokens = {
  /** The exact `iss` of the tokens. */
  readonly issuer: string;
  /** Where the issuer publishes its signing keys (RFC 7517 section 5). */
  readonly jwksUri: string;
  /** The `alg` of tokens. Not symmetric, because whoever can verify such tokens can also forge them. */
  readonly algorithms: readonly [Algorithm, ...Algorithm[]];
  /**
   * A scope that every token must have (RFC 6749 section 3.3); default: none. Entra's ID tokens are excluded
   * only if a scope is set.
   */
  readonly requiredScope?: string;
} & (
  | {
      /** How access tokens differ from other tokens: by the `typ` of RFC 9068, or only by their audience. */
      readonly profile: 'rfc9068' | 'oidc';
      /** The name of this API in `aud`. */
      readonly audience: string;
      /** The claim that lists the caller's groups. */
      readonly groupsClaim: string;
    }
  | {
      /** Amazon Cognito's tokens. Groups are in `cognito:groups`. */
      readonly profile: 'cognito';
      /** The app clients whose tokens are accepted. */
      readonly clientIds: readonly [string, ...string[]];
      /**
       * The resource that every token must have in `aud` (“Resource binding” in Cognito's guide); default:
       * none, and tokens with `aud` are denied.
       */
      readonly audience?: string;
    }
);

/** The asymmetric algorithms that the authorizer verifies (RFC 7518 section 3.1, RFC 9864). */
type Algorithm = `${'RS' | 'PS' | 'ES'}${256 | 384 | 512}` | 'EdDSA' | 'Ed25519';

/** Thrown for a stage that cannot be deployed. The message is a sentence that says what to correct. */
export class StageError extends Error {}

/**
 * Checks the rules that the types of a stage cannot express.
 * @throws {StageError} with the stage and the field
 */
export const checkStage = (stage: Stage): Stage => {
  const { name, account, tokens, tableName, data, refusedPercent = 20, corsOrigins = [] } = stage;
  const mustHold = (isMet: boolean, field: string, rule: string): void => {
    if (!isMet) throw new StageError(`Stage "${name}": ${field} ${rule}. Correct it in infra/stages.ts.`);
  };
  mustHold(account === undefined || /^\d{12}$/.test(account), 'account', 'must be twelve digits');
  mustHold(tableName === undefined || data === 'protected', 'tableName', "needs data: 'protected'");
  mustHold(refusedPercent > 0 && refusedPercent <= 100, 'refusedPercent', 'must be above 0, and 100 at most');
  for (const origin of corsOrigins) {
    const rule = `has "${origin}", but must have lower case, and no default port, path or slash at the end`;
    mustHold(URL.parse(origin)?.origin === origin, 'corsOrigins', rule);
  }
  if (tokens.profile === 'own-user-pool') return stage;
  mustHold(tokens.audience !== '', 'tokens.audience', 'must not be empty');
  for (const field of ['issuer', 'jwksUri'] as const)
    mustHold(isTrusted(tokens[field], name === 'local'), `tokens.${field}`, 'must be https, without blanks');
  return stage;
};

/** Whether an address is https. Over http, anyone in the network could replace the keys and forge tokens. */
const isTrusted = (address: string, isLocal: boolean): boolean => {
  // `URL` would ignore blanks.
  const { protocol, hostname } = (/\s/.test(address) ? null : URL.parse(address)) ?? {};
  const isThisMachine = hostname === '127.0.0.1' || hostname === 'localhost' || hostname === '[::1]';
  return protocol === 'https:' || (isLocal && protocol === 'http:' && isThisMachine);
};
