import type { IdentifiedPlant } from '../../table/plant.ts';
import type { Principal } from '../../table/principal.ts';

/** The users with a button on the page /docs. `npm start` prints a token of the first. */
export const sampleUsers = [
  { name: 'alice', groups: ['gardeners'] },
  { name: 'bob', groups: [] },
] as const;

/** The plants that `npm start` writes to a new table: at most 25, for one BatchWriteItem. */
export const samplePlants = [
  { principal: 'user#alice', id: 'a01', name: 'Aloe vera', tag: 'succulent' },
  { principal: 'user#alice', id: 'a05', name: 'Café Marron', tag: 'endangered' },
  { principal: 'user#alice', id: 'a08', name: 'Monstera', tag: 'tropical' },
  { principal: 'user#alice', id: 'a09', name: 'Monstera' },
  { principal: 'user#alice', id: 'a11', name: 'Ångermanland birch', tag: 'tree' },
  { principal: 'user#alice', id: 'a12', name: '\u{1f335} from the window sill', tag: 'cactus' },
  { principal: 'user#bob', id: 'b01', name: 'Dahlia', tag: 'tuber' },
  { principal: 'user#bob', id: 'b08', name: 'Αλόη', tag: 'succulent' },
  { principal: 'user#bob', id: 'b09', name: '竹' },
  { principal: 'group#gardeners', id: 'g01', name: 'Apple tree', tag: 'tree' },
  { principal: 'group#gardeners', id: 'g03', name: 'Lavender', tag: 'herb' },
  { principal: 'group#gardeners', id: 'g09', name: '桜', tag: 'tree' },
  // In byte order, unlike in UTF-16, full-width letters come before the cactus.
  { principal: 'group#gardeners', id: 'g10', name: 'ＡＢＣ roses', tag: 'rose' },
] as const satisfies readonly (IdentifiedPlant & { readonly principal: Principal })[];
