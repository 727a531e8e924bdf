/** Tests that need third-party systems or take too long for `npm test`. Their heads say what they prove. */
export interface Suite {
  readonly name: string;
  /** The third-party systems that the tests need, by the names of their scripts in `systems/`. */
  readonly systems: readonly string[];
  /** Whether it needs a login to AWS: then it runs only when it is named. */
  readonly needsLogin?: boolean;
}

/** The tests of a suite are in `NAME.test.ts` or in a folder of its name. The longest start first. */
export const suites: readonly Suite[] = [
  { name: 'processes', systems: [] },
  { name: 'recipes', systems: [] },
  { name: 'sam', systems: ['container-engine', 'sam'] },
  { name: 'plants', systems: ['dynamodb-local'] },
  { name: 'soak', systems: [] },
  { name: 'issuers', systems: ['keycloak', 'ministack'] },
  { name: 'faults', systems: [] },
  { name: 'examples', systems: ['openapi-typescript', 'python-requests', 'openapi-python-client'] },
  { name: 'deployed', systems: ['ministack'] },
  { name: 'commands', systems: ['aws-cli', 'ministack'] },
  { name: 'dynamodb', systems: ['dynamodb-local'] },
  { name: 'requests', systems: ['schemathesis'] },
  { name: 'docs', systems: ['chromium'] },
  { name: 'workflows', systems: ['shellcheck', 'zizmor'] },
  { name: 'aws', systems: [], needsLogin: true },
];

/** The suites that run on any machine. */
export const unattendedSuites = suites.filter(({ needsLogin = false }) => !needsLogin);
