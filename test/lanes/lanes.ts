/** The contract or a part of it, held on something that nobody here wrote. */
export interface Lane {
  readonly name: string;
  /** Scripts of this folder that bring up what the tests need. */
  readonly engines: readonly string[];
  /** What passing means, for the table in the README. */
  readonly proves: string;
}

/** Every lane; its tests are in `<name>.test.ts`. */
export const lanes: readonly Lane[] = [
  {
    name: 'deployed',
    engines: ['ministack'],
    proves: 'the real `cdk deploy` makes a stack that holds the contract, with roles evaluated',
  },
  {
    name: 'faults',
    engines: ['toxiproxy'],
    proves:
      'whatever the store or the key set does, the caller gets a documented answer in time, and good ones after',
  },
];
