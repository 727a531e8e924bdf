import type { Plant } from '../../table/plant.ts';

/** A JSON array of plants, written once. As objects, a long list takes several times the memory of its text. */
export interface PlantsJson {
  readonly add: (plants: readonly Plant[]) => void;
  /** The array's size in bytes if nothing is added. */
  readonly bytes: () => number;
  /** Ends the array: its text in UTF-8, in pieces. */
  readonly end: () => readonly Buffer[];
}

/** In bytes. Pieces of this size compress as well as one. */
const pieceBytes = 512 * 1024;

/** An empty array to add to. */
export const plantsJson = (): PlantsJson => {
  const pieces: Buffer[] = [];
  let parts = [Buffer.from('[')];
  let unflushed = 0;
  let bytes = '[]'.length;
  const flush = (): void => {
    pieces.push(Buffer.concat(parts));
    parts = [];
    unflushed = 0;
  };
  return {
    add: (plants) => {
      if (plants.length === 0) return;
      if (bytes > '[]'.length) {
        parts.push(Buffer.from(','));
        bytes += 1;
      }
      const elements = Buffer.from(JSON.stringify(plants)).subarray(1, -1);
      parts.push(elements);
      bytes += elements.length;
      unflushed += elements.length;
      if (unflushed >= pieceBytes) flush();
    },
    bytes: () => bytes,
    end: () => {
      parts.push(Buffer.from(']'));
      flush();
      return pieces;
    },
  };
};

/** The least bytes that a plant adds to the array: escapes only make it longer. */
export const leastJsonBytes = ({ name, tag }: Plant): number =>
  '{"name":""},'.length +
  Buffer.byteLength(name) +
  (tag === undefined ? 0 : ',"tag":""'.length + Buffer.byteLength(tag));

/** The least bytes of any plant: its name has at least one. */
export const leastPlantBytes = leastJsonBytes({ name: 'x' });
