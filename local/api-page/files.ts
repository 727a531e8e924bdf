import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { parseDocument } from 'yaml';
import { projectFolder } from '../project.ts';

const ownFolder = fileURLToPath(new URL('browser', import.meta.url));
const rendererFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** Files by name. They refer to each other by relative names. */
export type Files = ReadonlyMap<string, string | Uint8Array>;

/**
 * The page and the files that it loads, without the interface description.
 * @param tokenUsers the users for whose tokens the page has buttons
 */
export const pageFiles = async (tokenUsers: readonly string[]): Promise<Files> =>
  new Map<string, string | Uint8Array>([
    ...read(ownFolder, ['index.html', 'page.css']),
    ...read(rendererFolder, ['swagger-ui-bundle.js', 'swagger-ui.css']),
    ['page.js', await script(tokenUsers)],
  ]);

/** The licence files that copies of the renderer must include (Apache License 2.0, section 4). */
export const rendererLicence = (): Files =>
  new Map(
    read(rendererFolder, ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt']).map(([name, text]) => [
      `swagger-ui-licence/${name}`,
      text,
    ]),
  );

/** The interface description, with the service's address if one is given. */
export const description = (baseUrl?: string): string => {
  const text = readFileSync(join(projectFolder, 'openapi.yaml'), 'utf8');
  if (baseUrl === undefined) return text;
  const document = parseDocument(text);
  document.setIn(['servers', 0, 'variables', 'base_url', 'default'], baseUrl);
  return document.toString();
};

const read = (folder: string, names: readonly string[]): readonly (readonly [string, Uint8Array])[] =>
  names.map((name) => [name, readFileSync(join(folder, name))]);

const script = async (tokenUsers: readonly string[]): Promise<string> => {
  const source = readFileSync(join(ownFolder, 'page.ts'), 'utf8');
  const define = { tokenUsers: JSON.stringify(tokenUsers) };
  const { code } = await transform(source, { loader: 'ts', target: 'es2022', define });
  return code;
};
