// A process with one function and nothing else: responds to each event with what Lambda's runtime would send.
const { join } = require('node:path');

const [folder, handlerName] = process.argv.slice(2);
const [file, exportName] = handlerName.split('.');
const handler = require(join(folder, `${file}.js`))[exportName];

process.on('message', async ({ event, timeoutMs }) => {
  const deadline = Date.now() + timeoutMs;
  const result = await handler(event, { getRemainingTimeInMillis: () => deadline - Date.now() });
  process.send(JSON.stringify(result));
});
process.send('ready');
