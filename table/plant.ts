/** A plant as the API shows it (specification, "Plant"). */
export interface Plant {
  readonly name: string;
  readonly tag?: string;
}

/** A plant with the id that distinguishes it from others of the same name. */
export interface IdentifiedPlant extends Plant {
  readonly id: string;
}
