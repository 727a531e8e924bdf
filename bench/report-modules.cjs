// Loaded into a function's process before everything else; on SIGUSR2 it writes down Node's own modules loaded so far.
process.once('SIGUSR2', () => {
  require('node:fs').writeFileSync(process.env.MODULES_FILE, JSON.stringify(process.moduleLoadList));
  // A plain exit would wait for the runtime client's thread, and so for an event that never comes.
  process.kill(process.pid, 'SIGKILL');
});
