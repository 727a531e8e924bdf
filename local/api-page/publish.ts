import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { endWith, UserError } from '../../terminal/user-error.ts';
import { projectFolder } from '../project.ts';
import { description, pageFiles, rendererLicence } from './files.ts';

// `npm run docs`: writes the API documentation to a folder that any web server can publish.

const usage = 'Usage: npm run docs [-- --base-url URL]. URL is the address of the documented service.';

const baseUrl = (): string | undefined => {
  const { 'base-url': url } = parse();
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw new UserError(usage);
  return url;
};

const parse = () => {
  try {
    return parseArgs({ options: { 'base-url': { type: 'string' } } }).values;
  } catch {
    throw new UserError(usage);
  }
};

try {
  const files = [
    ...(await pageFiles([])),
    ...rendererLicence(),
    ['openapi.yaml', description(baseUrl())] as const,
  ];
  const folder = join(projectFolder, 'docs-site');
  rmSync(folder, { recursive: true, force: true });
  for (const [name, content] of files) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  console.log(`The API documentation is in ${relative(process.cwd(), folder)}.`);
} catch (error) {
  endWith(error);
}
