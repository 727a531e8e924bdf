/** Different plants in the table's order. */
export const generatedPlants = (amount: number): readonly Readonly<Record<'id' | 'name' | 'tag', string>>[] =>
  Array.from({ length: amount }, (_each, index) => ({
    id: `p${String(index)}`,
    name: `Plant ${String(index).padStart(7, '0')} 🌵`,
    tag: 'cactus',
  }));

/** One JSON object on each line. */
export const ndjson = (plants: readonly object[]): string =>
  plants.map((plant) => `${JSON.stringify(plant)}\n`).join('');
