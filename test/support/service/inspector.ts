import { z } from 'zod';

const message = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});
const ofWorker = z.object({ sessionId: z.string(), message: z.string() });
const attached = z.object({ sessionId: z.string() });

/** One target of the inspector: a process, or a worker thread of it. */
export interface Session {
  /** @throws {Error} when the target reports an error */
  readonly send: (method: string, parameters?: object) => Promise<unknown>;
  /** Calls the listener for each later event. */
  readonly events: (method: string, listener: (parameters: unknown) => void) => void;
}

/** Communicates with a target in the Chrome DevTools Protocol. */
const session = (post: (text: string) => void): Session & { readonly receive: (text: string) => void } => {
  const sent: PromiseWithResolvers<unknown>[] = [];
  const listeners = new Map<string, (parameters: unknown) => void>();
  return {
    send: (method, parameters = {}) => {
      const request = Promise.withResolvers<unknown>();
      const id = sent.push(request) - 1;
      post(JSON.stringify({ id, method, params: parameters }));
      return request.promise;
    },
    events: (method, listener) => {
      listeners.set(method, listener);
    },
    receive: (text) => {
      const { id = -1, method = '', params, error } = message.parse(JSON.parse(text));
      if (error === undefined) sent[id]?.resolve(undefined);
      else sent[id]?.reject(new Error(error.message));
      listeners.get(method)?.(params);
    },
  };
};

/** A debugger attached to a process. */
export interface Debugger {
  readonly close: () => void;
}

/**
 * Attaches to a process as an editor does.
 * @param url the address that `node --inspect` prints
 * @param onWorker called for each worker thread, also for those that already run
 */
export const attach = async (url: string, onWorker: (worker: Session) => void): Promise<Debugger> => {
  const socket = new WebSocket(url);
  const main = session((text) => {
    socket.send(text);
  });
  const workers = new Map<string, ReturnType<typeof session>>();
  socket.addEventListener('message', ({ data }) => {
    main.receive(z.string().parse(data));
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  main.events('NodeWorker.attachedToWorker', (parameters) => {
    const { sessionId } = attached.parse(parameters);
    const worker = session((text) => {
      void main.send('NodeWorker.sendMessageToWorker', { sessionId, message: text });
    });
    workers.set(sessionId, worker);
    onWorker(worker);
  });
  main.events('NodeWorker.receivedMessageFromWorker', (parameters) => {
    const { sessionId, message: text } = ofWorker.parse(parameters);
    workers.get(sessionId)?.receive(text);
  });
  await main.send('NodeWorker.enable', { waitForDebuggerOnStart: false });
  return {
    close: () => {
      socket.close();
    },
  };
};
