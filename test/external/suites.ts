/** Tests that need more than this project, or take too long for `npm test`. Each says in its first lines what it proves. */
export interface Suite {
  readonly name: string;
  /** The external systems that the tests need, by the names of their scripts in `systems/`. */
  readonly systems: readonly string[];
  /** Test data of a third party in this repository, with its version. */
  readonly vendored?: string;
  /** Where the tests are: a glob, `<name>.test.ts` in this folder unless set. */
  readonly tests?: string;
}

export const suites: readonly Suite[] = [
  {
    name: 'deployed',
    systems: ['ministack'],
  },
  {
    name: 'dynamodb',
    systems: ['dynamodb-local', 'ministack'],
  },
  {
    name: 'plants',
    systems: ['dynamodb-local'],
    tests: 'test/external/plants/*.test.ts',
  },
  {
    name: 'faults',
    systems: ['toxiproxy'],
    tests: 'test/external/faults/*.test.ts',
  },
  {
    name: 'history',
    systems: ['dynamodb-local', 'ministack'],
    tests: 'test/external/history/*.test.ts',
  },
  {
    name: 'posture',
    systems: ['checkov', 'cfn-lint'],
    tests: 'test/external/posture/*.test.ts',
  },
  {
    name: 'tokens',
    systems: [],
    vendored: 'Wycheproof of 2026-09-02',
    tests: 'test/attacks/*.test.ts',
  },
  {
    name: 'issuers',
    systems: ['keycloak', 'oidc-provider', 'ministack'],
    tests: 'test/external/issuers/*.test.ts',
  },
  {
    name: 'sam',
    systems: ['container-engine', 'sam'],
  },
  {
    name: 'requests',
    systems: ['schemathesis'],
    tests: 'test/external/requests/*.test.ts',
  },
  {
    name: 'compatibility',
    systems: ['oasdiff'],
    tests: 'test/external/compatibility/*.test.ts',
  },
  {
    name: 'docs',
    systems: ['chromium'],
  },
  {
    name: 'examples',
    systems: ['openapi-fetch', 'python-requests'],
  },
  {
    name: 'clients',
    systems: ['oapi-codegen', 'openapi-python-client', 'openapi-generator', 'openapi-fetch'],
    tests: 'test/external/clients/*.test.ts',
  },
  {
    name: 'workflows',
    systems: ['actionlint'],
    tests: 'test/external/workflows/*.test.ts',
  },
  {
    name: 'commands',
    systems: ['aws-cli'],
    tests: 'test/external/commands/*.test.ts',
  },
  {
    name: 'processes',
    systems: [],
    tests: 'test/processes/*.test.ts',
  },
  {
    name: 'soak',
    systems: [],
    tests: 'test/external/soak/*.test.ts',
  },
];
