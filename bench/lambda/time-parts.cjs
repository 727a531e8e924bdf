// Loaded before a function: appends to the file PARTS_FILE the milliseconds of each part of its cold start.
const { appendFileSync } = require('node:fs');
const Module = require('node:module');

const write = (part, ms) => appendFileSync(process.env.PARTS_FILE, `${JSON.stringify({ part, ms })}\n`);
write('start of the process', performance.now());

/** Times the first call of a method: until it returns, or until `ended` calls back. */
const time = (object, name, part, ended = (_, end) => end()) => {
  const method = object[name];
  let isFirst = true;
  object[name] = (...parameters) => {
    const started = performance.now();
    const result = method.apply(object, parameters);
    if (isFirst) ended(result, () => write(part, performance.now() - started));
    isFirst = false;
    return result;
  };
};

const afterExchange = (request, end) => request.once('response', (response) => response.once('end', end));
const patches = {
  tls: (tls) => {
    time(tls, 'createSecureContext', 'TLS context');
    time(tls, 'connect', 'connection and TLS handshake', (socket, end) => socket.once('secureConnect', end));
  },
  https: (https) => {
    time(https, 'request', 'first Query, with its handshake', afterExchange);
    time(https, 'get', 'key set, with its handshake', afterExchange);
  },
};

const load = Module._load;
const loaded = new Set();
Module._load = function (request, ...others) {
  const name = request.replace(/^node:/, '');
  if (!Module.isBuiltin(request) || loaded.has(name)) return load.call(this, request, ...others);
  loaded.add(name);
  const started = performance.now();
  const exported = load.call(this, request, ...others);
  write(`node:${name}`, performance.now() - started);
  patches[name]?.(exported);
  return exported;
};
