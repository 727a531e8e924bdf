// Loaded first in a function's process. On SIGUSR2 it writes the list of Node's built-in modules that are loaded
// beside the function's code.
process.once('SIGUSR2', () => {
  require('node:fs').writeFileSync('modules.json', JSON.stringify(process.moduleLoadList));
  // process.exit() would wait for the runtime client's thread, which waits for an event.
  process.kill(process.pid, 'SIGKILL');
});
