/** A name in one case. The upper case comes first, because that of ß is SS. */
const inOneCase = (name: string): string => name.trim().normalize().toUpperCase().toLowerCase();

/** The column that a cell names: in any case, unless the names of several columns differ in case alone. */
export const columnNamed = (columns: readonly string[], text: string): string | undefined => {
  const given = inOneCase(text);
  const matches = columns.filter((column) => inOneCase(column) === given);
  return matches.length > 1 ? matches.find((column) => column === text.trim()) : matches[0];
};
