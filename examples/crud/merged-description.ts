import { format, resolveConfig } from 'prettier';
import { isMap, isScalar, isSeq, parseDocument, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';

/** The project's lines have at most 110 characters, and the library exceeds this width by one: 110 − 1. */
const lineWidth = 109;

/**
 * Merges two OpenAPI documents, with their comments:
 * - maps: each member is added, or merged with the member of the same key;
 * - lists of maps with a `name`, such as parameters: each map is added, or merged with the map of this name;
 * - lists of numbers, such as error values: the result has the numbers of both lists in ascending order;
 * - lists of required members: the result has the members of both lists;
 * - texts with a table whose rows begin with a number: the text of the addition gets the rows of both tables.
 *
 * Any other value in the addition replaces the value at its path. `NewPlant` gets the required members of
 * `Plant`.
 */
export const mergedDescription = async (description: string, addition: string): Promise<string> => {
  const [target, source] = [parseDocument(description), parseDocument(addition)];
  if (!isMap(target.contents) || !isMap(source.contents)) throw new Error('openapi.yaml is not a YAML map.');
  mergeMaps(target.contents, source.contents);
  requireInNewPlant(target.contents);
  const options = await resolveConfig(import.meta.filename);
  return format(target.toString({ lineWidth }), { ...options, parser: 'yaml' });
};

const mergeMaps = (target: YAMLMap, source: YAMLMap): void => {
  for (const { key, value } of source.items) {
    const present = target.get(key, true);
    if (isMap(present) && isMap(value)) mergeMaps(present, value);
    else if (isSeq(present) && isSeq(value) && value.items.every(hasName)) mergeByName(present, value);
    else if (isSeq(present) && isSeq(value) && value.items.every(hasNumber)) mergeNumbers(present, value);
    else if (isRequired(key) && isSeq(present) && isSeq(value)) present.items = union(value, present);
    else if (hasText(present) && hasText(value)) present.value = mergedTable(present.value, value.value);
    else target.set(key, value);
  }
};

const hasText = (node: unknown): node is Scalar<string> => isScalar(node) && typeof node.value === 'string';
const hasNumber = (node: unknown): node is Scalar<number> => isScalar(node) && typeof node.value === 'number';

/** Requires the checkout's required fields in `NewPlant` too, which only the addition has. */
const requireInNewPlant = (description: YAMLMap): void => {
  const [plant, newPlant] = ['Plant', 'NewPlant'].map((name) =>
    description.getIn(['components', 'schemas', name, 'required']),
  );
  if (!isSeq(plant) || !isSeq(newPlant)) return;
  newPlant.items = union(newPlant, plant).filter(({ value }) => value !== 'id');
};

const isRequired = (key: unknown): boolean => isScalar(key) && key.value === 'required';

/** The texts of both lists, each once. */
const union = (first: YAMLSeq, second: YAMLSeq): Scalar<string>[] => {
  const texts = [...first.items, ...second.items].filter(hasText);
  return [...new Map(texts.toReversed().map((node) => [node.value, node])).values()].toReversed();
};

const mergeNumbers = (target: YAMLSeq, source: YAMLSeq): void => {
  const numbers = [...target.items, ...source.items].filter(hasNumber);
  const unique = new Map(numbers.map((node) => [node.value, node]));
  target.items = [...unique.values()].toSorted((a, b) => a.value - b.value);
};

const numberedRow = /^\| (\d+) \|.*\n?/gm;
const numberedRows = (text: string): readonly (readonly [number: number, row: string])[] =>
  [...text.matchAll(numberedRow)].map(([row, number]) => [Number(number), row]);

/** The second text, but its table has the rows of both. The first text's rows stay as they are. */
const mergedTable = (text: string, addition: string): string => {
  const added = numberedRows(addition);
  const first = added[0]?.[1];
  if (first === undefined) return addition;
  const rows = [...new Map([...added, ...numberedRows(text)])].toSorted(([a], [b]) => a - b);
  const start = addition.indexOf(first);
  const [before, after] = [addition.slice(0, start), addition.slice(start).replaceAll(numberedRow, '')];
  return `${before}${rows.map(([, row]) => row).join('')}${after}`;
};

const hasName = (element: unknown): element is YAMLMap => isMap(element) && element.has('name');

const mergeByName = (target: YAMLSeq, source: YAMLSeq): void => {
  for (const element of source.items.filter(hasName)) {
    const present = target.items.filter(hasName).find((other) => other.get('name') === element.get('name'));
    if (present === undefined) target.add(element);
    else mergeMaps(present, element);
  }
};
