// Is loaded before a function. Appends the milliseconds of each part of a cold start to the file PARTS_FILE.
const { appendFileSync } = require('node:fs');
const Module = require('node:module');

const write = (part, ms) => appendFileSync(process.env.PARTS_FILE, `${JSON.stringify({ part, ms })}\n`);
write('start of the process', performance.now());

/**
 * Times the first call of a method until the last of these events; without events, until the method returns.
 * The result of the method emits the first event. Each further event is emitted by the argument of the event
 * before.
 */
const timeUntil = (object, name, part, ...events) => {
  const method = object[name];
  object[name] = (...parameters) => {
    object[name] = method;
    const started = performance.now();
    const result = method.apply(object, parameters);
    const writeAfter = (emitter, [event, ...furtherEvents]) => {
      if (event === undefined) write(part, performance.now() - started);
      else emitter.once(event, (nextEmitter) => writeAfter(nextEmitter, furtherEvents));
    };
    writeAfter(result, events);
    return result;
  };
};
/** Times the first call of a method, until it returns. */
const timeCall = (object, name, part) => timeUntil(object, name, part);

/** Modules of Node.js whose methods are timed. */
const patches = {
  tls: (tls) => {
    timeCall(tls, 'createSecureContext', 'TLS context');
    timeUntil(tls, 'connect', 'connection and TLS handshake', 'secureConnect');
  },
  https: (https) => {
    // A request emits `response` with its response, which emits `end`.
    timeUntil(https, 'request', 'first Query, with its handshake', 'response', 'end');
    timeUntil(https, 'get', 'key set, with its handshake', 'response', 'end');
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
