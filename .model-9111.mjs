import { createVitest } from '/root/wt/model/node_modules/vitest/dist/node.js';
const v = await createVitest({ config:false, root:'/root/wt/model', watch:false, include:['test/external/operators/operators.test.ts'], env: process.env, pool:'threads', testNamePattern: process.env.PATTERN, testTimeout:120000, reporters:['default']});
const {testModules}=await v.start(); for (const m of testModules) for (const t of m.children.allTests()) console.log(t.meta().note); await v.close();
