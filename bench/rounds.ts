/** The samples of each subject, one per round; the index is the round for what is measured in every round. */
type Samples<Sample> = ReadonlyMap<string, readonly Sample[]>;

/** Something that is measured. */
interface Measured {
  readonly name: string;
  /** Default: 1, in every round. */
  readonly everyRounds?: number;
}

/** Takes one sample of every subject per round, in random order, so that other work on the machine affects all alike. */
export const inRounds = async <Subject extends Measured, Sample>(
  rounds: number,
  subjects: readonly Subject[],
  measure: (subject: Subject) => Promise<Sample>,
): Promise<Samples<Sample>> => {
  const samples = new Map(subjects.map(({ name }): [string, Sample[]] => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const due = subjects.filter(({ everyRounds = 1 }) => round % everyRounds === 0);
    while (due.length > 0) {
      const [subject] = due.splice(Math.floor(Math.random() * due.length), 1);
      if (subject !== undefined) samples.get(subject.name)?.push(await measure(subject));
    }
  }
  return samples;
};
