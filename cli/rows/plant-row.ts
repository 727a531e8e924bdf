import { hash } from 'node:crypto';
import { z } from 'zod';
import type { IdentifiedPlant } from '../../table/plant.ts';
import type { Row } from './row.ts';

const maxNameBytes = 900;
/** AWS: "Quotas in Amazon DynamoDB": a sort key; U+0000 stands between name and id. */
const maxNameAndIdBytes = 1023;
/** With the rest of an item it stays under DynamoDB's 400 KB. */
const maxTagBytes = 400_000;

const one = (column: string): string => `${column === 'id' ? 'an' : 'a'} ${column}`;

const text = (column: string) =>
  z
    .string(`has ${one(column)} that is not text`)
    .refine(
      (value) => value.isWellFormed(),
      `has ${one(column)} with half a surrogate pair, which is no text`,
    );

const keyText = (column: string) =>
  text(column)
    .min(1, `has an empty ${column}`)
    .refine((value) => !value.includes('\u0000'), `has ${one(column)} with U+0000`);

const plantSchema = z
  .strictObject(
    {
      id: keyText('id').nullish(),
      name: z
        .unknown()
        .refine((value) => value !== undefined && value !== null, { error: 'has no name', abort: true })
        .pipe(keyText('name').refine(fits(maxNameBytes), 'has a name longer than 900 bytes of UTF-8')),
      tag: text('tag').refine(fits(maxTagBytes), 'has a tag longer than 400,000 bytes of UTF-8').nullish(),
    },
    {
      error: ({ code }) =>
        code === 'unrecognized_keys' ? 'has a field other than id, name and tag' : 'is not an object',
    },
  )
  .transform(({ id, name, tag }): IdentifiedPlant => {
    const plant = { name, ...(typeof tag === 'string' && tag !== '' && { tag }) };
    return { id: id ?? derivedId(plant), ...plant };
  })
  .refine(
    ({ id, name }) => fits(maxNameAndIdBytes)(name + id),
    'has an id that is too long: name and id have 1,023 bytes together',
  );

function fits(bytes: number): (value: string) => boolean {
  return (value) => Buffer.byteLength(value) <= bytes;
}

/** The same for the same name and tag, wherever and whenever they are read: 32 digits of their SHA-256. */
const derivedId = ({ name, tag }: { readonly name: string; readonly tag?: string }): string =>
  hash('sha256', JSON.stringify([name, tag ?? null]), 'hex').slice(0, 32);

/** The plant of a row, or why it is none, as the end of a sentence that begins with the row. */
export const plantOf = ({ values, problem }: Row): IdentifiedPlant | string => {
  if (problem !== undefined) return problem;
  const parsed = plantSchema.safeParse(values);
  return parsed.success ? parsed.data : (parsed.error.issues[0]?.message ?? 'is not a plant');
};
