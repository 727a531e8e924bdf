/** An item of a plant in DynamoDB's protocol. */
export type PlantItem = Readonly<Record<string, { readonly S: string }>>;

/** An id that has the length of a UUID. */
const uuid = (kind: string, a: number, b: number): string =>
  `${kind}${String(a).padStart(7, '0')}-0000-4000-8000-${String(b).padStart(12, '0')}`;

/** The plant that the first 10,000 users have, in the first 10,000 items. */
export const everywhere = uuid('e', 0, 0);
const grantsOfEverywhere = 10_000;
/** A plant that 50 users have. */
export const sharedBy50 = uuid('5', 2, 7);

const itemOf = (principal: string, id: string, tag: string): PlantItem => {
  const name = `Plant ${id.slice(2, 8)}, ${id.slice(-6)}`;
  return {
    principal: { S: principal },
    sortKey: { S: `${name}\u0000${id}` },
    name: { S: name },
    tag: { S: tag },
    plantId: { S: id },
  };
};

/**
 * The items of a service with many users: each has 20 to 200 plants, and each thousand of them a group with 10,000 and
 * more. A plant belongs to 1 to 50 users, one plant to 10,000. The same number gives the same items.
 */
export const generatedItems = function* (count: number): Generator<PlantItem> {
  const first = Math.min(count, grantsOfEverywhere);
  for (let user = 0; user < first; user += 1) yield itemOf(userOf(user), everywhere, 'succulent');
  let left = count - first;
  for (let user = 0; left > 0; user += 1) {
    const partitions = [partitionOfUser(user), ...(user % 1000 === 999 ? [partitionOfGroup(user)] : [])];
    for (const partition of partitions)
      for (const item of partition) {
        if (left === 0) return;
        left -= 1;
        yield item;
      }
  }
};

const userOf = (user: number): string => `user#${uuid('a', user, 0)}`;

const partitionOfUser = function* (user: number): Generator<PlantItem> {
  const principal = userOf(user);
  const plants = 20 + ((user * 37) % 181);
  for (let plant = 0; plant < plants; plant += 1) {
    const sharedBy = plant % 4 === 3 ? 1 + ((plant * 7) % 50) : 1;
    const own = uuid(plant % 4 === 3 ? '5' : 'b', Math.floor(user / sharedBy), plant);
    yield itemOf(principal, own, 'succulent');
  }
};

const partitionOfGroup = function* (number: number): Generator<PlantItem> {
  const plants = 10_000 + number;
  for (let plant = 0; plant < plants; plant += 1)
    yield itemOf(`group#${uuid('c', number, 0)}`, uuid('d', number, plant), 'shrub');
};
