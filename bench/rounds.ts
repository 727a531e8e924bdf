/**
 * Samples every subject once per round, in random order, so that other work on the machine affects all alike.
 * @returns the samples of each subject in the order of the rounds
 */
export const inRounds = async <Subject extends { readonly name: string }, Sample>(
  rounds: number,
  subjects: readonly Subject[],
  measure: (subject: Subject) => Promise<Sample>,
): Promise<ReadonlyMap<string, readonly Sample[]>> => {
  const samples = new Map(subjects.map(({ name }): [string, Sample[]] => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const due = [...subjects];
    while (due.length > 0) {
      const [subject] = due.splice(Math.floor(Math.random() * due.length), 1);
      if (subject !== undefined) samples.get(subject.name)?.push(await measure(subject));
    }
  }
  return samples;
};
