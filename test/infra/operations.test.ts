import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { copyProject } from '../support/service/local-service.ts';

// The stack and npm start load this file. docs.test.ts compares its routes with openapi.yaml.
describe('infra/operations.ts refuses, with the line,', () => {
  const project = copyProject();
  afterAll(project.remove);
  const file = 'infra/operations.ts';
  const entry = /^ {2}\{\n {4}id: 'ListPlants',.*?^ {2}\},\n/ms.exec(readFileSync(file, 'utf8'))?.[0] ?? '';
  const [route, folder] = ["'GET /plants'", "'list-plants'"];

  it.each([
    ['a method in lower case', route, "'get /plants'", 'must be like "GET /plants/{name}"'],
    ['an unknown method', route, '"FETCH /plants"', 'must be like "GET /plants/{name}"'],
    ['any method', route, "'ANY /plants'", 'must be like "GET /plants/{name}"'],
    ['no method', route, "'/plants'", 'must be like "GET /plants/{name}"'],
    ['a path without a slash', route, "'GET plants'", 'must be like "GET /plants/{name}"'],
    ['a slash at the end of a path', route, "'GET /plants/'", 'must be like "GET /plants/{name}"'],
    ['two slashes in a path', route, "'GET /plants//{name}'", 'must be like "GET /plants/{name}"'],
    ['a greedy parameter', route, "'GET /{proxy+}'", 'must be like "GET /plants/{name}"'],
    ['a parameter in a segment', route, "'GET /{name}.json'", 'must be like "GET /plants/{name}"'],
    ['a parameter twice', route, "'GET /plants/{a}/{a}'", 'has a parameter twice'],
    ['a folder that does not exist', folder, "'lst-plants'", '/lst-plants/handler.ts does not exist'],
  ])('%s', async (_, text, replacement, problem) => {
    const restore = project.edit(file, text, replacement);
    const place = `${file}:${String(lineOf(replacement))}: `;
    expect(await loadingError()).toMatch(`Error: ${place}`);
    expect(await loadingError()).toContain(problem);
    restore();
  });

  it.each([
    ['', 'GET /plants'],
    ['/{name}', 'GET /plants/{id}'],
  ])('one route of two operations: GET /plants%s', async (path, other) => {
    const first = entry.replace(route, `'GET /plants${path}'`);
    const restore = project.edit(file, entry, first + entry.replace(route, `'${other}'`));
    expect(await loadingError()).toContain(`"${other}" is the route of two operations.`);
    restore();
  });

  const lineOf = (text: string): number =>
    1 +
    readFileSync(join(project.folder, file), 'utf8')
      .split('\n')
      .findIndex((line) => line.includes(text));

  /** What Node.js prints when it cannot load the file. */
  const loadingError = async (): Promise<string> => {
    const run = promisify(execFile)(process.execPath, [file], { cwd: project.folder });
    return run.then(
      () => 'It was loaded.',
      (error: unknown) => String(Reflect.get(Object(error), 'stderr')),
    );
  };
});
