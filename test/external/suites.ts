/** Tests that need more than this project, or take too long for `npm test`. */
export interface Suite {
  readonly name: string;
  /** The external systems that the tests need, by the names of their scripts in `systems/`. */
  readonly systems: readonly string[];
  /** Test data of a third party in this repository, with its version. */
  readonly vendored?: string;
  /** Where the tests are: a glob, `<name>.test.ts` in this folder unless set. */
  readonly tests?: string;
  /** What passing means, for the table in docs/external-suites.md. */
  readonly proves: string;
}

export const suites: readonly Suite[] = [
  {
    name: 'deployed',
    systems: ['ministack'],
    proves:
      'the real `cdk deploy` makes a stack that meets the contract, with IAM roles evaluated; a destroyed personal stage leaves nothing behind',
  },
  {
    name: 'dynamodb',
    systems: ['dynamodb-local', 'ministack'],
    proves:
      'the table’s adapter and the contract hold on Amazon’s own DynamoDB Local; three stores give the same bytes',
  },
  {
    name: 'plants',
    systems: ['dynamodb-local'],
    tests: 'test/external/plants/*.test.ts',
    proves:
      '`npm run plants` on the local service and on DynamoDB Local does what docs/plants.md says, refuses bad input in one sentence, and loses no plant when it is killed or throttled',
  },
  {
    name: 'faults',
    systems: ['toxiproxy'],
    proves:
      'when the store or the key set fails, the caller gets a documented response in time, and plants again afterwards',
  },
  {
    name: 'history',
    systems: ['dynamodb-local', 'ministack'],
    tests: 'test/external/history/*.test.ts',
    proves:
      'in random histories of grants, tokens, key rotations, outages and cursors, every response is that of a short model',
  },
  {
    name: 'posture',
    systems: ['checkov', 'cfn-lint'],
    tests: 'test/external/posture*.test.ts',
    proves:
      'the templates of all stages hold no secret, nothing invalid, and nothing insecure without a reason; every package has an allowed licence',
  },
  {
    name: 'tokens',
    systems: [],
    vendored: 'Wycheproof of 2026-09-02',
    tests: 'test/attacks/*.test.ts',
    proves: 'no attack on a token gets past the authorizer; `npm test` includes these cases',
  },
  {
    name: 'issuers',
    systems: ['keycloak', 'oidc-provider', 'ministack'],
    proves:
      'access tokens of Keycloak, `oidc-provider` and an emulated Cognito are allowed with the settings in docs/issuers.md; every other token of theirs is denied',
  },
  {
    name: 'sam',
    systems: ['container-engine', 'sam'],
    proves:
      'the synthesized template runs under `sam local` in containers, and refuses callers where SAM finds no authorizer',
  },
  {
    name: 'requests',
    systems: ['schemathesis'],
    proves:
      'the response to any request, even one that is not valid HTTP, is as `openapi.yaml` describes and never 5xx',
  },
  {
    name: 'compatibility',
    systems: ['oasdiff'],
    proves: '`openapi.yaml` breaks nothing that the last release’s description promised',
  },
  {
    name: 'docs',
    systems: ['chromium'],
    proves:
      'the API documentation works in a browser: offline, by keyboard alone, 400 pixels wide, and calls the service',
  },
  {
    name: 'examples',
    systems: ['openapi-fetch', 'python-requests'],
    proves:
      'the clients in TypeScript and Python list all plants, wait, and renew their token as `openapi.yaml` describes',
  },
  {
    name: 'clients',
    systems: ['oapi-codegen', 'openapi-python-client', 'openapi-generator', 'openapi-fetch'],
    tests: 'test/external/clients/*.test.ts',
    proves:
      'clients generated from `openapi.yaml` in Go, Python, Java and TypeScript list plants, read all pages and understand every failure',
  },
  {
    name: 'workflows',
    systems: ['actionlint'],
    tests: 'test/external/workflows*.test.ts',
    proves:
      'the pipelines are well-formed, log in to AWS only where no test and no install script runs, deploy what they should, stop a release that runs, and their smoke test finds defects',
  },
  {
    name: 'commands',
    systems: ['aws-cli'],
    proves:
      'the AWS CLI accepts the commands in “Deploy”, in the runbook and in the pipeline’s setup; each block of the runbook works alone in a new shell',
  },
  {
    name: 'processes',
    systems: [],
    tests: 'test/processes/*.test.ts',
    proves: '`npm start`, `synth` and `token` work as whole processes, as a developer runs them',
  },
  {
    name: 'soak',
    systems: [],
    tests: 'test/external/soak/*.test.ts',
    proves:
      'after thousands of good and bad requests, the functions and `npm start` hold no more memory, sockets, timers and listeners than before',
  },
];
