/** A kind of request in a mix. */
export interface Kind {
  /** How many requests of a round are of this kind. */
  readonly share: number;
  /** Only in each so many-th round; the other rounds have the first kind instead. */
  readonly every?: number;
}

/** A prime number, so that each request of a round is sent once, and few follow another of their kind. */
const stride = 7919;

/** Returns the kind of a request by its index: in each round every kind as often as its share, spread evenly. */
export const mixOf = <K extends Kind>(kinds: readonly [K, ...K[]]): ((index: number) => K) => {
  const round = kinds.flatMap((kind) => Array.from({ length: kind.share }, () => kind));
  return (index) => {
    const kind = round[(index * stride) % round.length] ?? kinds[0];
    return Math.floor(index / round.length) % (kind.every ?? 1) === 0 ? kind : kinds[0];
  };
};
