import type { IdentifiedPlant } from '../../table/plant.ts';
import type { Principal } from '../../table/principal.ts';

/** The plants that `npm start` writes to a new table, with one BatchWriteItem, which takes 25 at most. */
export const samplePlants = [
  { principal: 'user#alice', id: 'a01', name: 'Aloe vera', tag: 'succulent' },
  { principal: 'user#alice', id: 'a05', name: 'Café Marron', tag: 'endangered' },
  { principal: 'user#alice', id: 'a09', name: 'Monstera' },
  { principal: 'user#alice', id: 'a12', name: '\u{1f335} from the window sill', tag: 'cactus' },
  { principal: 'user#bob', id: 'b09', name: '竹' },
  { principal: 'group#gardeners', id: 'g01', name: 'Apple tree', tag: 'tree' },
  // In byte order, unlike in UTF-16, full-width letters come before the cactus.
  { principal: 'group#gardeners', id: 'g10', name: 'ＡＢＣ roses', tag: 'rose' },
] as const satisfies readonly (IdentifiedPlant & { readonly principal: Principal })[];
