import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { copyProject } from '../support/service/local-service.ts';

// The stack and npm start load this file. docs.test.ts compares its routes with openapi.yaml.
describe('infra/operations.ts refuses, with its line,', () => {
  const project = copyProject();
  afterAll(project.remove);
  const file = 'infra/operations.ts';
  const [list = ''] = /^ {2}\{\n {4}id: 'ListPlants',.*?^ {2}\},\n/ms.exec(readFileSync(file, 'utf8')) ?? [];
  const route = "'GET /plants'";
  const twoRoutes = ['{a}', '{name}'].map((path) => list.replace(route, `'GET /plants/${path}'`)).join('');
  const oneId = list + list.replace(route, "'GET /others'");

  it.each([
    ['no route', "route: '", "rout: '", 'route "undefined" must be like GET /plants/{name}', 'ListPlants'],
    ['an unknown method', route, "'FETCH /plants'", '"FETCH /plants" must be like GET /plants/{name}'],
    ['a method in lower case', route, "'get /plants'", '"get /plants" must be like GET /plants/{name}'],
    ['a slash at the end', route, "'GET /plants/'", '"GET /plants/" must be like GET /plants/{name}'],
    ['a greedy parameter', route, "'GET /{a+}'", '"GET /{a+}" must be like GET /plants/{name}'],
    ['a parameter twice', route, "'GET /{a}/b/{a}'", '"GET /{a}/b/{a}" has a parameter twice'],
    ['a folder that is missing', "'list-plants'", "'lost-plants'", '/lost-plants/handler.ts does not exist'],
    ['no folder', "folder: '", "fodler: '", '/undefined/handler.ts does not exist', 'ListPlants'],
    ['one route twice', list, twoRoutes, '/{name}" is that of two operations', 'GET /plants/{name}'],
    ['one id twice', list, oneId, 'id "ListPlants" is that of two operations', 'ListPlants'],
  ])('%s', (_, text, replacement, problem, place = replacement.slice(1, -1)) => {
    const restore = project.edit(file, text, replacement);
    const lines = readFileSync(join(project.folder, file), 'utf8').split('\n');
    const line = 1 + lines.findLastIndex((each) => each.includes(`'${place}'`));
    const { stderr } = spawnSync(process.execPath, [file], { cwd: project.folder, encoding: 'utf8' });
    expect(stderr).toContain(`Error: ${file}:${String(line)}: `);
    expect(stderr).toContain(`${problem}.\n`);
    restore();
  });
});
