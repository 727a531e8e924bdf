import type { IdentifiedPlant } from '../../table/plant.ts';

/** The users whose tokens `npm start` prints. */
export const sampleUsers = [
  { name: 'alice', groups: ['gardeners'] },
  { name: 'bob', groups: [] },
] as const;

/** Everyone with sample plants. */
export const samplePrincipals = ['user#alice', 'user#bob', 'group#gardeners'] as const;

/** The plants that `npm start` writes to a new table, by principal. */
export const samplePlants = {
  'user#alice': [
    { id: 'a01', name: 'Aloe vera', tag: 'succulent' },
    { id: 'a02', name: 'Bird of paradise', tag: 'tropical' },
    { id: 'a03', name: 'Boston fern', tag: 'fern' },
    { id: 'a04', name: 'Calathea', tag: 'tropical' },
    { id: 'a05', name: 'Café Marron', tag: 'endangered' },
    { id: 'a06', name: 'Edelweiß', tag: 'alpine' },
    { id: 'a07', name: 'Fiddle-leaf fig' },
    { id: 'a08', name: 'Monstera', tag: 'tropical' },
    { id: 'a09', name: 'Monstera' },
    { id: 'a10', name: 'Peace lily' },
    { id: 'a11', name: 'Ångermanland birch', tag: 'tree' },
    { id: 'a12', name: '\u{1f335} from the window sill', tag: 'cactus' },
  ],
  'user#bob': [
    { id: 'b01', name: 'Dahlia', tag: 'tuber' },
    { id: 'b05', name: 'Oleander' },
    { id: 'b08', name: 'Αλόη', tag: 'succulent' },
    { id: 'b09', name: '竹' },
  ],
  'group#gardeners': [
    { id: 'g01', name: 'Apple tree', tag: 'tree' },
    { id: 'g02', name: 'Basil', tag: 'herb' },
    { id: 'g03', name: 'Lavender', tag: 'herb' },
    { id: 'g04', name: 'Mint', tag: 'herb' },
    { id: 'g05', name: 'Rosemary', tag: 'herb' },
    { id: 'g06', name: 'Tomato' },
    { id: 'g07', name: 'Zucchini' },
    { id: 'g08', name: 'Мята', tag: 'herb' },
    { id: 'g09', name: '桜', tag: 'tree' },
    // In byte order, unlike in UTF-16, full-width letters come before the cactus.
    { id: 'g10', name: 'ＡＢＣ roses', tag: 'rose' },
  ],
} as const satisfies Record<(typeof samplePrincipals)[number], readonly IdentifiedPlant[]>;
