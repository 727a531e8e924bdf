import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { checkOperations, type OperationDefinition } from '../../infra/operation-definition.ts';
import { copyProject } from '../support/service/project-copy.ts';
import { operationIds, stackOf, stageNamed } from '../support/synthesized.ts';

const good: OperationDefinition = {
  id: 'ReadPlants',
  route: 'GET /plants',
  folder: 'list-plants',
  description: 'Reads plants',
  withoutPlants: { statusCode: 200, body: '[]' },
};
const file = 'infra/operations.ts:';
type Route = OperationDefinition['route'];
const check = (...changes: readonly Partial<OperationDefinition>[]) => {
  return (): void => {
    checkOperations(changes.map((change) => ({ ...good, ...change })));
  };
};

it.each<Route>([
  'GET /',
  'GET /plants/{name}/parts/{part}',
  'POST /a.b/~c/_d/-e',
  'DELETE /...',
  'GET /documents',
  'GET /plants/docs',
  'GET /pings',
])('accepts the route %s', (route) => {
  expect(check({ route })).not.toThrow();
});

it.each<Route>([
  'GET /plants/',
  'GET //plants',
  'GET /{a+}',
  'GET /plants/{}',
  'GET /plants?x=1',
  'GET /a b',
  'GET /%2e%2e',
])('refuses the route "%s" with an example of a valid one', (route) => {
  expect(check({ route })).toThrow(
    `${file} operation "ReadPlants" has the route "${route}", which must be a method, a space and a path, ` +
      'like GET /plants/{name}, with no slash at the end.',
  );
});

const dots = 'needs another route, because clients remove . and .. from it';
const page = 'needs another route, because npm start has its API page at /docs';
const reserved = 'needs another route, because API Gateway reserves /ping and /sping';
it.each<[Route, problem: string]>([
  ['GET /{a}/b/{a}', 'has a parameter twice in its route "GET /{a}/b/{a}": rename one'],
  ['GET /..', dots],
  ['GET /.', dots],
  ['GET /a/../b', dots],
  ['GET /a/.', dots],
  ['GET /docs', page],
  ['POST /docs', page],
  ['GET /docs/{file}', page],
  ['GET /ping', reserved],
  ['HEAD /sping', reserved],
])('refuses the route "%s" and says that it %s', (route, problem) => {
  expect(check({ route })).toThrow(`${file} operation "ReadPlants" ${problem}.`);
});

it.each(['', 'read', '1Read', 'Read-Plants', 'Read.Plants', 'Lösche', 'A/B', `R${'e'.repeat(64)}`])(
  'refuses the id "%s" with the characters that an id may have',
  (id) => {
    expect(check({ id })).toThrow(
      `${file} operation "${id}" needs another id: a capital, then at most 63 letters or digits.`,
    );
  },
);

it('accepts an id of 64 characters', () => {
  expect(check({ id: `R${'e'.repeat(63)}` })).not.toThrow();
});

it('refuses an id that begins like the id of a hook', () => {
  expect(check({ id: 'PreTrafficListPlants' })).toThrow(
    'operation "PreTrafficListPlants" needs another id, because the ids of hooks begin with PreTraffic.',
  );
});

const domain = {
  name: 'plants.example.com',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/11111111-2222-3333-4444-555555555555',
};
const parts = [{ ...stageNamed('prod'), domain }, stageNamed('dev')]
  .flatMap((stage) => stackOf(stage).node.children.map(({ node }) => node.id))
  .filter(
    (id) => !id.startsWith('PreTraffic') && !operationIds.some((operation) => id.startsWith(operation)),
  );

it.each([...new Set(parts), 'BootstrapVersion', 'Default'])(
  'refuses the id %s, which another part of the stack has',
  (id) => {
    expect(check({ id })).toThrow(
      `${file} operation "${id}" needs another id, because another part of the stack is called `,
    );
  },
);

it.each(['', 'Log', 'Role', 'Function', 'Release'])(
  'refuses two operations, in any order, if one id is the other followed by "%s"',
  (suffix) => {
    const other = { id: `ReadPlants${suffix}`, route: 'GET /others' } as const;
    const message = `because another part of the stack is called ReadPlants${suffix}.`;
    expect(check({}, other)).toThrow(message);
    expect(check(other, {})).toThrow(message);
  },
);

it('refuses two routes that differ only in the names of parameters', () => {
  expect(check({ route: 'GET /plants/{a}' }, { id: 'Others', route: 'GET /plants/{name}' })).toThrow(
    'operation "Others" needs another route, because another operation has "GET /plants/{name}".',
  );
});

it.each(['authorizer', 'pre-traffic-hook', '', '.', '..', './list-plants', '../local', 'List-Plants'])(
  'refuses the folder "%s", which is not the folder of an operation',
  (folder) => {
    expect(check({ folder })).toThrow(
      `has the folder "${folder}": use lower case letters, digits and hyphens, as in list-plants, ` +
        'and not authorizer or pre-traffic-hook.',
    );
  },
);

it.each(['shared', 'http', 'plant-store', 'lost-plants'])(
  'refuses the folder %s, which has no handler',
  (folder) => {
    expect(check({ folder })).toThrow(
      `operation "ReadPlants" has no handler: write functions/${folder}/handler.ts, or correct its folder.`,
    );
  },
);

it('refuses an operation without a field when Node.js loads infra/operations.ts', () => {
  const project = copyProject();
  project.edit('infra/operations.ts', "route: '", "rout: '");
  const options = { cwd: project.folder, encoding: 'utf8' } as const;
  const { stderr } = spawnSync(process.execPath, ['infra/operations.ts'], options);
  expect(stderr).toContain('Error: infra/operations.ts: operation "ListPlants" has the route "undefined"');
  project.remove();
});
