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
    {
      name: 'allows an import from the folder of the importing file',
      code: `import './errors.ts';`,
      ...operation,
    },
    {
      name: 'allows an import from a folder that import-rules.ts names for the importing file',
      code: `import '../http/respond.ts';`,
      ...operation,
    },
    {
      name: 'allows a file of examples/crud to import what its destination may import',
      code: `import '../http/etag.ts'; import '../../table/item.ts';`,
      ...inFile('examples/crud/functions/find-plant/respond.ts'),
    },
    {
      name: 'allows packages other than aws-cdk-lib and zod',
      code: `import 'jose'; import 'node:fs';`,
      ...operation,
    },
    {
      name: 'allows an import of a file that import-rules.ts names for the importing file',
      code: `import '../functions/runtime/log-events.ts';`,
      ...inFile('infra/app.ts'),
    },
    {
      name: 'allows CDK in a file of infra',
      code: `import 'aws-cdk-lib/aws-s3';`,
      ...inFile('infra/app.ts'),
    },
    {
      name: 'allows any import in a file for which import-rules.ts has no rule',
      code: `import './infra/stages.ts';`,
      ...inFile('vitest.config.ts'),
    },
  ],
  invalid: [
    {
      name: 'refuses an import in a file of examples/crud that its destination must not have',
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
    ].map((code) => ({
      name: `in a function, refuses ${code}`,
      code,
      ...operation,
      ...refused('infra/stages.ts'),
    })),
    ...['const a = await import(`../../infra/${b}.ts`);', `const a = await import('../../infra/' + b);`].map(
      (code) => ({ name: `in a function, refuses ${code}`, code, ...operation, ...refused('infra') }),
    ),
    {
      name: 'refuses an import from a folder that import-rules.ts does not name for the importing file',
      code: `import '../authorizer/jwks-cache.ts';`,
      ...operation,
      ...refused('functions/authorizer/jwks-cache.ts'),
    },
    {
      name: 'refuses an import from the folder tables where import-rules.ts allows the folder table',
      code: `import '../../tables';`,
      ...operation,
      ...refused('tables'),
    },
    {
      name: 'refuses CDK in a function',
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
      name: 'refuses a file that import-rules.ts does not name, although it names a file of the same folder',
      code: `import '../functions/runtime/logger.ts';`,
      ...inFile('infra/app.ts'),
      ...refused('functions/runtime/logger.ts'),
    },
    {
      name: 'refuses an import that only a later rule allows, because the first rule for a file applies',
      code: `import '../../functions/runtime/logger.ts';`,
      ...inFile('test/contract/plants.ts'),
      ...refused('functions/runtime/logger.ts'),
    },
  ],
});
