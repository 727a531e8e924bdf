import { fileURLToPath } from 'node:url';
import { RuleTester } from 'oxlint/plugins-dev';
import { describe, it } from 'vitest';
import { importRule } from '../import-rules.ts';

RuleTester.describe = describe;
RuleTester.it = it;

const inFile = (name: string) => ({ filename: fileURLToPath(new URL(`../${name}`, import.meta.url)) });
const operation = inFile('functions/list-plants/respond.ts');
const refused = (path: string) => ({ errors: [{ message: new RegExp(`must not import ${path}:`) }] });

new RuleTester({ languageOptions: { parserOptions: { lang: 'ts' } } }).run('the import rule', importRule, {
  valid: [
    { name: 'allows a file of the same folder', code: `import './errors.ts';`, ...operation },
    { name: 'allows a folder that the row names', code: `import '../http/respond.ts';`, ...operation },
    {
      name: 'allows a file of examples/crud the imports of the file that it is copied to',
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
      name: 'refuses a file of examples/crud an import that the file it is copied to must not have',
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
      name: 'refuses a folder of functions that the row does not name',
      code: `import '../authorizer/jwks-cache.ts';`,
      ...operation,
      ...refused('functions/authorizer/jwks-cache.ts'),
    },
    {
      name: 'refuses a folder whose name only begins with a name of the row',
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
      name: 'refuses another file in the folder of a file that the row names',
      code: `import '../functions/runtime/logger.ts';`,
      ...inFile('infra/app.ts'),
      ...refused('functions/runtime/logger.ts'),
    },
    {
      name: 'refuses a file that only a later matching row names',
      code: `import '../../functions/runtime/logger.ts';`,
      ...inFile('test/contract/plants.ts'),
      ...refused('functions/runtime/logger.ts'),
    },
  ],
});
