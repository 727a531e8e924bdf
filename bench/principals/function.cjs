// A process with one function and nothing else: responds to each event with what Lambda's runtime would send.
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

const [folder, handlerName] = process.argv.slice(2);
const [name, exportName] = handlerName.split('.');
const file = ['.js', '.mjs'].map((ending) => join(folder, name + ending)).find(existsSync);

import(pathToFileURL(file).href).then(({ [exportName]: handler }) => {
  process.on('message', async ({ event, timeoutMs }) => {
    const deadline = Date.now() + timeoutMs;
    const result = await handler(event, { getRemainingTimeInMillis: () => deadline - Date.now() });
    process.send(JSON.stringify(result));
  });
  process.send('ready');
});
