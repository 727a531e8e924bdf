/** The users with a button on the page /docs. `npm start` prints a token of the first. */
export const sampleUsers = [
  { name: 'alice', groups: ['gardeners'] },
  { name: 'bob', groups: [] },
] as const;

export type SampleUser = (typeof sampleUsers)[number];
