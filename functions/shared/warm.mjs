// The module that Lambda loads. Its runtime waits for an ES module's `await`, and initialization has a whole
// processor; what a CommonJS module leaves pending would run at the function's small share. The bundle is
// CommonJS, because that starts faster, and is required without an import of node:module, which loads more.
const { createRequire } = process.getBuiltinModule('node:module');
const { handler, warmUp } = createRequire(import.meta.url)('./index.js');

await warmUp();

export { handler };
