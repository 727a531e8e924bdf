/** The contract or a part of it, held on something that nobody here wrote. */
export interface Lane {
  readonly name: string;
  /** Scripts of this folder that bring up what the tests need. */
  readonly engines: readonly string[];
  /** What of others is in this repository. */
  readonly vendored?: string;
  /** Where its tests are, if not in `<name>.test.ts`. */
  readonly tests?: string;
  /** What passing means, for the table in the README. */
  readonly proves: string;
}

/** Every lane. */
export const lanes: readonly Lane[] = [
  {
    name: 'deployed',
    engines: ['ministack'],
    proves: 'the real `cdk deploy` makes a stack that holds the contract, with roles evaluated',
  },
  {
    name: 'dynamodb',
    engines: ['dynamodb-local', 'ministack'],
    proves:
      "the table’s adapter and the contract hold on Amazon's own engine; three engines give the same bytes",
  },
  {
    name: 'plants',
    engines: ['dynamodb-local'],
    tests: 'test/external/plants/',
    proves:
      '`npm run plants` loads whatever file there is into Amazon’s own engine, however damaged, large or interrupted',
  },
  {
    name: 'faults',
    engines: ['toxiproxy'],
    proves:
      'whatever the store or the key set does, the caller gets a documented answer in time, and good ones after',
  },
  {
    name: 'posture',
    engines: ['checkov', 'cfn-lint'],
    tests: 'test/external/posture',
    proves:
      'the templates of all stages hold nothing insecure or invalid without a reason, and no secret; packages have licences that are allowed',
  },
  {
    name: 'tokens',
    engines: [],
    vendored: 'Wycheproof of 2026-09-02',
    tests: 'test/attacks/',
    proves: 'no attack on a token gets past the authorizer; a part of them goes through each gateway above',
  },
  {
    name: 'sam',
    engines: ['container-engine', 'sam'],
    proves:
      'the synthesized template runs under `sam local` in containers, and stays closed where SAM finds no authorizer',
  },
  {
    name: 'requests',
    engines: ['schemathesis'],
    proves:
      'whatever is asked, down to what is not HTTP, the answer is as `openapi.yaml` says, and never 5xx',
  },
  {
    name: 'compatibility',
    engines: ['oasdiff'],
    proves: '`openapi.yaml` breaks nothing that the description of the last release promised',
  },
  {
    name: 'docs',
    engines: ['chromium'],
    proves:
      'the API documentation works in a browser: offline, by keyboard alone, 400 pixels wide, and calls the service',
  },
  {
    name: 'examples',
    engines: ['openapi-fetch', 'python-requests'],
    proves:
      'clients in TypeScript and Python list everything, wait and renew their token as `openapi.yaml` tells them to',
  },
  {
    name: 'workflows',
    engines: ['actionlint'],
    tests: 'test/external/workflows',
    proves:
      'the pipelines are well-formed, their commands run here up to the first call to AWS, and their smoke test says what is wrong with a service',
  },
  {
    name: 'commands',
    engines: ['aws-cli'],
    proves: 'the commands in “Deploy” and in the runbook are ones that the AWS CLI takes',
  },
];
