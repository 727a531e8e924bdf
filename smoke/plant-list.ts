import * as v from 'valibot';

/** A plant as the API shows it. */
export interface Plant {
  readonly name: string;
  readonly tag?: string | undefined;
}

const plantList = v.array(v.object({ name: v.string(), tag: v.optional(v.string()) }));

/** The plants in the body of a response; undefined if the body is no list of plants. */
export const plantsInBody = (body: unknown): readonly Plant[] | undefined => {
  const { success, output } = v.safeParse(plantList, body);
  return success ? output : undefined;
};
