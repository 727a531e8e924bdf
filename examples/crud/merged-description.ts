import { format, resolveConfig } from 'prettier';
import { isMap, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';

/** One less than the longest line of this project, because the library leaves lines of one character more. */
const lineWidth = 109;

/**
 * Merges two OpenAPI documents, with their comments: members of maps are added or merged, and so are elements
 * of lists that have a `name`, such as parameters. Anything else in the addition replaces what it names.
 */
export const mergedDescription = async (description: string, addition: string): Promise<string> => {
  const [target, source] = [parseDocument(description), parseDocument(addition)];
  if (!isMap(target.contents) || !isMap(source.contents)) throw new Error('openapi.yaml is not a map.');
  mergeMaps(target.contents, source.contents);
  const options = await resolveConfig(import.meta.filename);
  return format(target.toString({ lineWidth }), { ...options, parser: 'yaml' });
};

const mergeMaps = (target: YAMLMap, source: YAMLMap): void => {
  for (const { key, value } of source.items) {
    const present = target.get(key, true);
    if (isMap(present) && isMap(value)) mergeMaps(present, value);
    else if (isSeq(present) && isSeq(value) && value.items.every(hasName)) mergeByName(present, value);
    else target.set(key, value);
  }
};

const hasName = (element: unknown): element is YAMLMap => isMap(element) && element.has('name');

const mergeByName = (target: YAMLSeq, source: YAMLSeq): void => {
  for (const element of source.items.filter(hasName)) {
    const present = target.items.filter(hasName).find((other) => other.get('name') === element.get('name'));
    if (present === undefined) target.add(element);
    else mergeMaps(present, element);
  }
};
