/**
 * A group of tests that need third-party systems or take too long for `npm test`. The comment at the top of a
 * suite says what the suite proves and what it cannot show.
 */
export interface Suite {
  readonly name: string;
  /** The third-party systems that the tests need, by the names of their scripts in `systems/`. */
  readonly systems: readonly string[];
  /** Whether the suite needs a login to AWS. If so, it runs only when it is named. */
  readonly needsLogin?: boolean;
}

/**
 * All suites, the longest first, because they start in this order. The tests of a suite are in `NAME.test.ts`
 * or in a folder with the suite's name.
 */
export const suites: readonly Suite[] = [
  { name: 'crud', systems: [] },
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

/** The suites that run without a login to AWS. */
export const unattendedSuites = suites.filter(({ needsLogin = false }) => !needsLogin);
