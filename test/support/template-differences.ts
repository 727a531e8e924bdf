import { z } from 'zod';

const objectSchema = z.union([
  z.record(z.string(), z.unknown()),
  // Two texts or more, in any order: CDK orders the ids of `DependsOn` by name.
  z.tuple([z.string(), z.string()], z.string()).transform((texts) => Object.groupBy(texts, String)),
  z.array(z.unknown()).transform((items) => Object.fromEntries(items.entries())),
]);

/** What differs in another template: its values by their paths, `undefined` for one that is missing. */
export const differences = (one: unknown, other: unknown, path = ''): Readonly<Record<string, unknown>> => {
  const [parts, otherParts] = [objectSchema.safeParse(one).data, objectSchema.safeParse(other).data];
  if (parts === undefined || otherParts === undefined) {
    const name = path.replace('/Resources/', '').replaceAll(/[0-9A-F]{8}/g, '');
    return one === other ? {} : { [name]: other };
  }
  return Object.keys({ ...parts, ...otherParts }).reduce(
    (found, key) => ({ ...found, ...differences(parts[key], otherParts[key], `${path}/${key}`) }),
    {},
  );
};
