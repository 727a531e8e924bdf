import { fileURLToPath } from 'node:url';
import { RuleTester } from 'oxlint/plugins-dev';
import { describe, it } from 'vitest';
import { oneWay } from '../import-rules.ts';

RuleTester.describe = describe;
RuleTester.it = it;

const inFile = (name: string) => ({ filename: fileURLToPath(new URL(`../${name}`, import.meta.url)) });
const operation = inFile('functions/list-plants/respond.ts');
const refused = (path: string) => ({ errors: [{ message: new RegExp(`must not import ${path}:`) }] });

new RuleTester({ languageOptions: { parserOptions: { lang: 'ts' } } }).run('the import rule', oneWay, {
  valid: [
    { name: 'allows a file of the same folder', code: `import './errors.ts';`, ...operation },
    { name: 'allows a folder that the row names', code: `import '../http/respond.ts';`, ...operation },
    {
      name: 'allows in an overlay what its place in the project allows',
      code: `import '../http/etag.ts'; import '../../table/item.ts';`,
      ...inFile('examples/crud/functions/find-plant/respond.ts'),
    },
    { name: 'allows a package', code: `import 'jose'; import 'node:fs';`, ...operation },
    {
      name: 'allows a file that the row names',
      code: `import '../functions/runtime/log-events.ts';`,
      ...inFile('infra/app.ts'),
    },
    { name: 'allows CDK in infra', code: `import 'aws-cdk-lib/aws-s3';`, ...inFile('infra/app.ts') },
    {
      name: 'allows any file if no row matches the importing file',
      code: `import './infra/stages.ts';`,
      ...inFile('vitest.config.ts'),
    },
  ],
  invalid: [
    {
      name: 'refuses in an overlay what its place in the project refuses',
      code: `import '../../infra/stages.ts';`,
      ...inFile('examples/crud/functions/find-plant/respond.ts'),
      ...refused('infra/stages.ts'),
    },
    ...[
      `import { a } from '../../infra/stages.ts';`,
      `import '../../infra/stages.ts';`,
      `import type { A } from '../../infra/stages.ts';`,
      `import { type A } from '../../infra/stages.ts';`,
      `export { a } from '../../infra/stages.ts';`,
      `export type { A } from '../../infra/stages.ts';`,
      `export * from '../../infra/stages.ts';`,
      `export * as a from '../../infra/stages.ts';`,
      `const a = await import('../../infra/stages.ts');`,
      'const a = await import(`../../infra/stages.ts`);',
      `type A = import('../../infra/stages.ts').A;`,
      `let a: typeof import('../../infra/stages.ts');`,
    ].map((code) => ({ name: `refuses ${code}`, code, ...operation, ...refused('infra/stages.ts') })),
    ...['const a = await import(`../../infra/${b}.ts`);', `const a = await import('../../infra/' + b);`].map(
      (code) => ({ name: `refuses ${code}`, code, ...operation, ...refused('infra') }),
    ),
    {
      name: 'refuses another operation',
      code: `import '../authorizer/jwks-cache.ts';`,
      ...operation,
      ...refused('functions/authorizer/jwks-cache.ts'),
    },
    {
      name: 'refuses a folder whose name only begins like a named one',
      code: `import '../../tables';`,
      ...operation,
      ...refused('tables'),
    },
    {
      name: 'refuses CDK outside infra and test',
      code: `import 'aws-cdk-lib';`,
      ...operation,
      ...refused('aws-cdk-lib'),
    },
    {
      name: 'refuses CDK in a file of infra that npm start loads',
      code: `import 'aws-cdk-lib';`,
      ...inFile('infra/timeouts.ts'),
      ...refused('aws-cdk-lib'),
    },
    {
      name: 'refuses zod in a function',
      code: `import { z } from 'zod';`,
      ...operation,
      ...refused('zod'),
    },
    {
      name: 'refuses a file beside the one that the row names',
      code: `import '../functions/runtime/logger.ts';`,
      ...inFile('infra/app.ts'),
      ...refused('functions/runtime/logger.ts'),
    },
    {
      name: 'refuses what the first matching row does not name',
      code: `import '../../functions/runtime/logger.ts';`,
      ...inFile('test/contract/plants.ts'),
      ...refused('functions/runtime/logger.ts'),
    },
  ],
});
