/** Tests that need third-party systems or take too long for `npm test`. Their heads say what they prove. */
export interface Suite {
  readonly name: string;
  /** The third-party systems that the tests need, by the names of their scripts in `systems/`. */
  readonly systems: readonly string[];
  /** Where the tests are, as a glob. */
  readonly tests: string;
}

export const suites: readonly Suite[] = [
  { name: 'deployed', systems: ['ministack'], tests: 'test/suites/deployed/*.test.ts' },
  { name: 'dynamodb', systems: ['dynamodb-local'], tests: 'test/suites/dynamodb.test.ts' },
  { name: 'plants', systems: ['dynamodb-local'], tests: 'test/suites/plants/*.test.ts' },
  { name: 'faults', systems: ['toxiproxy'], tests: 'test/suites/faults/*.test.ts' },
  { name: 'history', systems: ['dynamodb-local', 'ministack'], tests: 'test/suites/history/*.test.ts' },
  { name: 'posture', systems: ['checkov', 'cfn-lint'], tests: 'test/suites/posture/*.test.ts' },
  { name: 'tokens', systems: [], tests: 'test/attacks/*.test.ts' },
  {
    name: 'issuers',
    systems: ['keycloak', 'oidc-provider', 'ministack'],
    tests: 'test/suites/issuers/*.test.ts',
  },
  { name: 'sam', systems: ['container-engine', 'sam'], tests: 'test/suites/sam.test.ts' },
  { name: 'requests', systems: ['schemathesis'], tests: 'test/suites/requests/*.test.ts' },
  { name: 'compatibility', systems: ['oasdiff'], tests: 'test/suites/compatibility.test.ts' },
  { name: 'docs', systems: ['chromium'], tests: 'test/suites/docs.test.ts' },
  {
    name: 'examples',
    systems: ['openapi-fetch', 'python-requests'],
    tests: 'test/suites/examples.test.ts',
  },
  {
    name: 'clients',
    systems: ['oapi-codegen', 'openapi-python-client', 'openapi-generator', 'openapi-fetch'],
    tests: 'test/suites/clients/*.test.ts',
  },
  { name: 'workflows', systems: ['actionlint'], tests: 'test/suites/workflows/*.test.ts' },
  { name: 'commands', systems: ['aws-cli', 'ministack'], tests: 'test/suites/commands/*.test.ts' },
  { name: 'recipes', systems: [], tests: 'test/suites/recipes.test.ts' },
  { name: 'processes', systems: [], tests: 'test/suites/processes/*.test.ts' },
  { name: 'soak', systems: [], tests: 'test/suites/soak/*.test.ts' },
];
