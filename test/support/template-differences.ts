import { z } from 'zod';

const objectSchema = z.union([
  z.record(z.string(), z.unknown()),
  // Lists of two or more strings are compared without their order, because CDK sorts `DependsOn` by ids,
  // which can differ.
  z.tuple([z.string(), z.string()], z.string()).transform((texts) => Object.groupBy(texts, String)),
  z.array(z.unknown()).transform((items) => Object.fromEntries(items.entries())),
]);

/** The values of `other` that differ from `one`, by their paths; `undefined` where `other` has no value. */
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
