/** Tests that need more than this project, or take too long for `npm test`. Each says in its first lines what it proves. */
export interface Suite {
  readonly name: string;
  /** The external systems that the tests need, by the names of their scripts in `systems/`. */
  readonly systems: readonly string[];
  /** Where the tests are, as a glob. */
  readonly tests: string;
}

export const suites: readonly Suite[] = [
  { name: 'deployed', systems: ['ministack'], tests: 'test/external/deployed/*.test.ts' },
  { name: 'dynamodb', systems: ['dynamodb-local', 'ministack'], tests: 'test/external/dynamodb.test.ts' },
  { name: 'plants', systems: ['dynamodb-local'], tests: 'test/external/plants/*.test.ts' },
  { name: 'faults', systems: ['toxiproxy'], tests: 'test/external/faults/*.test.ts' },
  { name: 'history', systems: ['dynamodb-local', 'ministack'], tests: 'test/external/history/*.test.ts' },
  { name: 'posture', systems: ['checkov', 'cfn-lint'], tests: 'test/external/posture/*.test.ts' },
  { name: 'tokens', systems: [], tests: 'test/attacks/*.test.ts' },
  {
    name: 'issuers',
    systems: ['keycloak', 'oidc-provider', 'ministack'],
    tests: 'test/external/issuers/*.test.ts',
  },
  { name: 'sam', systems: ['container-engine', 'sam'], tests: 'test/external/sam.test.ts' },
  { name: 'requests', systems: ['schemathesis'], tests: 'test/external/requests/*.test.ts' },
  { name: 'compatibility', systems: ['oasdiff'], tests: 'test/external/compatibility.test.ts' },
  { name: 'docs', systems: ['chromium'], tests: 'test/external/docs.test.ts' },
  {
    name: 'examples',
    systems: ['openapi-fetch', 'python-requests'],
    tests: 'test/external/examples.test.ts',
  },
  {
    name: 'clients',
    systems: ['oapi-codegen', 'openapi-python-client', 'openapi-generator', 'openapi-fetch'],
    tests: 'test/external/clients/*.test.ts',
  },
  { name: 'workflows', systems: ['actionlint'], tests: 'test/external/workflows/*.test.ts' },
  { name: 'commands', systems: ['aws-cli', 'ministack'], tests: 'test/external/commands/*.test.ts' },
  { name: 'recipes', systems: [], tests: 'test/external/recipes.test.ts' },
  { name: 'processes', systems: [], tests: 'test/processes/*.test.ts' },
  { name: 'soak', systems: [], tests: 'test/external/soak/*.test.ts' },
];
