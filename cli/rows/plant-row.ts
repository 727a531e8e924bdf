import { hash } from 'node:crypto';
import { z } from 'zod';
import { type IdentifiedPlant, optionalFields, type Plant } from '../../table/plant.ts';
import { maxNameBytes, maxSortKeyBytes, sortKeyOf } from '../../table/sort-key.ts';
import type { Row } from './row.ts';

const [{ maxBytes: maxTagBytes }] = optionalFields;

const withArticle = (column: string): string => `${column === 'id' ? 'an' : 'a'} ${column}`;

const text = (column: string) =>
  z
    .string(`has ${withArticle(column)} that is not text`)
    .refine((value) => value.isWellFormed(), `has ${withArticle(column)} with half a surrogate pair`);

const keyText = (column: string) =>
  text(column)
    .min(1, `has an empty ${column}`)
    .refine((value) => !value.includes('\u0000'), `has ${withArticle(column)} with U+0000`);

const fits =
  (bytes: number) =>
  (value: string): boolean =>
    Buffer.byteLength(value) <= bytes;

const plantSchema = z
  .strictObject(
    {
      id: keyText('id').nullish(),
      name: z
        .unknown()
        .refine((value) => value !== undefined && value !== null, { error: 'has no name', abort: true })
        .pipe(
          keyText('name').refine(
            fits(maxNameBytes),
            `has a name longer than ${String(maxNameBytes)} bytes of UTF-8`,
          ),
        ),
      tag: text('tag')
        .refine(fits(maxTagBytes), `has a tag longer than ${String(maxTagBytes)} bytes of UTF-8`)
        .nullish(),
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
    ({ id, name }) => fits(maxSortKeyBytes)(sortKeyOf(name, id)),
    `has an id that is too long: name and id together have at most ${String(maxSortKeyBytes - 1)} bytes`,
  );

/** 32 hex digits of the SHA-256 of name and tag, so that every import of a row gives the same id. */
const derivedId = ({ name, tag }: Plant): string =>
  hash('sha256', JSON.stringify([name, tag ?? null]), 'hex').slice(0, 32);

/** The plant in a row, or the reason why there is none, which completes the sentence "Line 1 …". */
export const plantOf = ({ values, problem }: Row): IdentifiedPlant | string => {
  if (problem !== undefined) return problem;
  const parsed = plantSchema.safeParse(values);
  return parsed.success ? parsed.data : (parsed.error.issues[0]?.message ?? 'is not a plant');
};
