// The module that Lambda loads. The runtime waits for the top-level `await` of an ES module, so the warm-up
// runs in initialization, with a whole processor instead of a small share. The bundle is CommonJS, which
// starts faster. `process.getBuiltinModule` gives `createRequire`, because importing node:module would load
// more modules.
const { createRequire } = process.getBuiltinModule('node:module');
const { handler, warmUp } = createRequire(import.meta.url)('./index.js');

await warmUp?.();

export { handler };
