import type fc from 'fast-check';
import { z } from 'zod';
import { catalogue as addErrors } from '../../functions/add-plant/errors.ts';
import { respond as add } from '../../functions/add-plant/respond.ts';
import { catalogue as changeErrors } from '../../functions/change-plant/errors.ts';
import { respond as change } from '../../functions/change-plant/respond.ts';
import { catalogue as deleteErrors } from '../../functions/delete-plant/errors.ts';
import { respond as remove } from '../../functions/delete-plant/respond.ts';
import { catalogue as findErrors } from '../../functions/find-plant/errors.ts';
import { respond as find } from '../../functions/find-plant/respond.ts';
import type { HttpEvent, HttpResult } from '../../functions/http/payload-format.ts';
import { commonErrors } from '../../functions/http/common-errors.ts';
import { type CatalogueEntry, ServiceError } from '../../functions/http/service-error.ts';
import { respond as list } from '../../functions/list-plants/respond.ts';
import type { FoundItem, PlantKey } from '../../functions/plant-store/plant-items.ts';
import { StoreUnavailable } from '../../functions/plant-store/plant-store.ts';
import type { VersionedPlant } from '../../table/item.ts';
import type { Plant, PlantFields } from '../../table/plant.ts';
import { type Principal, principalOf } from '../../table/principal.ts';
import { type RequestRecord, secondsToFinish } from '../../table/request-record.ts';
import { recordingLog } from '../support/recording-log.ts';
import { plantWith } from '../support/table/field-samples.ts';
import type { Engine } from './engine.ts';
import { portsThrough, type StoreCall } from './ports-through.ts';
import type { Client, Fault, Scenario, Step } from './scenario.ts';

const plantSchema = z.looseObject({ id: z.string() });

type ShownPlant = z.infer<typeof plantSchema>;

/** What a client sends, as often as it sends it. */
export interface ClientRequest {
  readonly operation: 'add' | 'change' | 'delete' | 'find';
  readonly user: string;
  /** Undefined for `add`. */
  readonly id?: string;
  readonly key?: string;
  /** For `add`: the principal that gets the plant, and its fields. */
  readonly content?: string;
  readonly accepted?: readonly string[];
  readonly event: HttpEvent;
  readonly sends: Send[];
}

/** A response as the client sees it. */
export interface Answer {
  readonly status: number;
  readonly error?: number;
  /** The body, if it is a plant. */
  readonly plant?: ShownPlant;
  readonly etag?: string;
  readonly location?: string;
  /** Whether the operation's catalogue has the error. */
  readonly isDocumented: boolean;
}

/** One time that a request was sent. */
export interface Send {
  readonly request: ClientRequest;
  readonly sentAt: number;
  /** How many writes there were before. */
  readonly writesBefore: number;
  writesAfter: number;
  answeredAt: number;
  answer: Answer | undefined;
  /** The principals whose plants it tried to delete. */
  readonly deletesFrom: Principal[];
  isDead: boolean;
}

/** A write of a plant that had an effect. */
export interface PlantWrite extends PlantKey {
  /** Undefined: an import. */
  readonly by: Send | undefined;
  readonly before: VersionedPlant | undefined;
  readonly after: VersionedPlant | undefined;
}

/** A new record of a request. */
export interface RecordStart {
  readonly by: Send;
  readonly time: number;
  readonly record: RequestRecord;
}

/** A plant that there was. */
export interface PlantAtEnd {
  readonly key: PlantKey;
  /** Undefined: it was deleted. */
  readonly item: FoundItem;
  /** Whether the record of the request that added it has expired. */
  readonly isExpired: boolean;
}

/** Everything that happened. */
export interface Trace {
  readonly requests: readonly ClientRequest[];
  readonly writes: readonly PlantWrite[];
  readonly starts: readonly RecordStart[];
  /** The answers after the last fault. */
  readonly lastAnswers: readonly Answer[];
  /** At the end, what each user lists. */
  readonly listed: readonly { readonly principals: readonly Principal[]; readonly ids: readonly string[] }[];
  /** When each request has its answer, every plant that there ever was. */
  readonly plantsBefore: readonly PlantAtEnd[];
  /** The same after the late repetitions. */
  readonly plants: readonly PlantAtEnd[];
}

const bodies: readonly PlantFields[] = [
  plantWith({ name: 'Fern', tag: 'fern' }),
  plantWith({ name: 'Rose' }),
];
const changes = [{ tag: 'x' }, { name: 'Moss', tag: null }] as const;
const sendsOfAClient = 3;
const deadline = 10_000;
/** How often a slow request lets the scheduler choose another one. */
const turnsOfSlowRequest = 12;
/** How often a client waits for a plant that another one adds. */
const turnsToWaitForPlant = 20;
const firstTime = Date.UTC(2030, 0, 1);
const { signal } = new AbortController();

const catalogues = { add: addErrors, change: changeErrors, delete: deleteErrors, find: findErrors };
const operations = { add, change, delete: remove, find };

/** Whether a client need not send its request again. */
export const isDefinite = (answer: Answer | undefined): answer is Answer =>
  answer !== undefined && (answer.error === undefined || answer.error < 2000);

/**
 * Runs the operations as a scenario says. The scheduler chooses which of the pending requests to the table is
 * next; each has its effect at once. Then the faults end, and each client sends again what has no definite
 * answer. At last, all requests with a key are sent once more.
 * @param run part of all names, so that runs share no item
 */
export const runModel = async (
  engine: Engine,
  { clients, faults }: Scenario,
  scheduler: fc.Scheduler,
  run: string,
): Promise<Trace> => {
  const requests: ClientRequest[] = [];
  const writes: PlantWrite[] = [];
  const starts: RecordStart[] = [];
  const nextFaults = [...faults];
  let time = firstTime;
  let ids = 0;
  let isConcurrent = true;

  const group = `gardeners${run}`;
  const userOf = ({ user }: Client): string => `${user}${run}`;
  const principalsOf = (user: string): readonly Principal[] => [
    principalOf('user', user),
    principalOf('group', group),
  ];

  const plantAt = (key: PlantKey): Promise<VersionedPlant | undefined> =>
    engine.observer.items.find(key, signal).then((item) => {
      if (item === 'damaged') throw new Error('An item is damaged.');
      return item;
    });

  /** Records a write of a plant, if it has an effect. */
  const observed = async <Result>(
    call: StoreCall,
    by: Send | undefined,
    write: () => Promise<Result>,
  ): Promise<Result> => {
    switch (call.kind) {
      case 'add':
      case 'change':
      case 'delete': {
        const before = await plantAt(call.plant);
        try {
          return await write();
        } finally {
          const after = await plantAt(call.plant);
          if (JSON.stringify(before) !== JSON.stringify(after))
            writes.push({ ...call.plant, by, before, after });
        }
      }
      case 'start': {
        const before = await engine.observer.records.find(call.record, signal);
        try {
          return await write();
        } finally {
          const record = await engine.observer.records.find(call.record, signal);
          if (by !== undefined && record !== undefined && record.id !== before?.id)
            starts.push({ by, time, record });
        }
      }
      case 'read':
      case 'find':
      case 'find-record':
      case 'finish':
      case 'markDeleted':
        return write();
    }
  };

  /** Waits until the scheduler chooses this task, and then does it before any other. */
  const inTurn = <Result>(label: string, task: () => Promise<Result>): Promise<Result> => {
    if (!isConcurrent) return task();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    void scheduler.schedule(Promise.resolve(), label, undefined, async (release) => {
      await release();
      await task().then(resolve, reject);
    });
    return promise;
  };

  const withFault = async <Result>(
    fault: Fault,
    die: () => Promise<never>,
    request: () => Promise<Result>,
  ): Promise<Result> => {
    switch (fault) {
      case 'none':
      case 'slow':
        return request();
      case 'retried':
      case 'lost':
        engine.loseResponses(fault === 'lost' ? 3 : 2);
        return request().finally(() => {
          engine.loseResponses(0);
        });
      case 'failed':
        throw new StoreUnavailable(new Error('NoResponse'));
      case 'dies-before':
        return die();
      case 'dies-after':
        await request();
        return die();
    }
  };

  /** The answer to a request that is sent once. */
  const answerTo = async (send: Send): Promise<Answer> => {
    const { operation, event, user } = send.request;
    const died = Promise.withResolvers<'died'>();
    const die = (): Promise<never> => {
      send.isDead = true;
      died.resolve('died');
      return new Promise<never>(() => undefined);
    };
    /** Sends a request to the table. It never ends if the process has. */
    const perform = <Result>(call: StoreCall, request: () => Promise<Result>): Promise<Result> => {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      const attempt = (turnsToWait: number): void => {
        void inTurn(`${operation} ${call.kind}`, async () => {
          if (!send.isDead && time > send.sentAt + deadline) void die();
          if (send.isDead) return;
          if (turnsToWait > 0) {
            attempt(turnsToWait - 1);
            return;
          }
          const fault = isConcurrent && turnsToWait === 0 ? (nextFaults.shift() ?? 'none') : 'none';
          if (fault === 'slow') {
            attempt(turnsOfSlowRequest);
            return;
          }
          if (call.kind === 'delete' && call.plant.principal !== 'nobody')
            send.deletesFrom.push(call.plant.principal);
          const ended = withFault(fault, die, () => observed(call, send, request)).then(resolve, reject);
          await Promise.race([ended, died.promise]);
        });
      };
      attempt(0);
      return promise;
    };
    const { items, records } = portsThrough(engine.ports, perform);
    const dependencies = {
      ...{ items, records, log: recordingLog() },
      now: () => time,
      newId: () => {
        ids += 1;
        return `id-${String(ids)}`;
      },
    };
    const caller = { subject: user, groups: [group], expiresAt: time / 1000 + 60 };
    const context = { requestContext: { authorizer: { lambda: caller } } };
    const result = operations[operation](dependencies, { ...event, ...context }, signal);
    return Promise.race([
      result.then(answerOf, (error: unknown) => errorAnswer(operation, error)),
      died.promise.then(() => errorAnswer(operation, new ServiceError(commonErrors.deadlineExceeded))),
    ]);
  };

  const sendOnce = async (request: ClientRequest): Promise<Answer> => {
    const send: Send = {
      ...{
        request,
        sentAt: time,
        writesBefore: writes.length,
        writesAfter: 0,
        answeredAt: 0,
        answer: undefined,
      },
      ...{ deletesFrom: [], isDead: false },
    };
    request.sends.push(send);
    const answer = await answerTo(send);
    send.answer = answer;
    send.answeredAt = time;
    send.writesAfter = writes.length;
    return answer;
  };

  const sendUntilDefinite = async (request: ClientRequest): Promise<void> => {
    for (let sent = 0; sent < sendsOfAClient; sent += 1) if (isDefinite(await sendOnce(request))) return;
  };

  /** The id of a plant, counted from the last one. */
  const idOf = (nth: number): string => {
    const all = [...new Set(writes.map(({ id }) => id))];
    return all.at(-1 - (nth % Math.max(all.length, 1))) ?? 'none';
  };

  /** A version that a plant had, counted from the last one. */
  const versionOf = (id: string, nth: number): string => {
    const all = writes.flatMap((write) =>
      write.id === id && write.after !== undefined ? [write.after.version] : [],
    );
    return all.at(-1 - (nth % Math.max(all.length, 1))) ?? 'none';
  };

  const requestOf = (user: string, step: Step): ClientRequest | undefined => {
    switch (step.kind) {
      case 'add': {
        const fields = bodies[step.body];
        return {
          ...{ operation: 'add', user, sends: [] },
          ...(step.key !== undefined && { key: step.key }),
          content: JSON.stringify([step.group, fields]),
          event: {
            headers: { ...(step.key !== undefined && { 'idempotency-key': step.key }) },
            rawQueryString: step.group ? `group=${group}` : '',
            body: JSON.stringify(fields),
          },
        };
      }
      case 'change': {
        const id = idOf(step.plant);
        const accepted = [versionOf(id, step.version)];
        const event = eventFor(id, accepted);
        return {
          ...{ operation: 'change', user, id, accepted, sends: [] },
          event: { ...event, body: JSON.stringify(changes[step.body]) },
        };
      }
      case 'delete': {
        const id = idOf(step.plant);
        const accepted = step.version === undefined ? undefined : [versionOf(id, step.version)];
        return {
          ...{ operation: 'delete', user, id, sends: [], event: eventFor(id, accepted) },
          ...(accepted !== undefined && { accepted }),
        };
      }
      case 'find': {
        const id = idOf(step.plant);
        return { operation: 'find', user, id, sends: [], event: eventFor(id, undefined) };
      }
      case 'repeat':
        return requests.filter((request) => request.user === user).at(-1 - step.request);
      case 'import':
      case 'wait':
        return undefined;
    }
  };

  /** Every plant that there ever was, as it is now. */
  const plantsNow = (): Promise<readonly PlantAtEnd[]> => {
    const keys = new Map(writes.map(({ principal, id }) => [`${principal} ${id}`, { principal, id }]));
    return Promise.all(
      [...keys.values()].map(async (key) => {
        const item = await plantAt(key);
        const start = starts.find(({ record }) => record.id === key.id);
        const record = start && (await engine.observer.records.find(start.record.key, signal));
        const isExpired = start !== undefined && (record?.id !== key.id || record.expires * 1000 <= time);
        return { key, item, isExpired };
      }),
    );
  };

  /** Adds a plant without a request, as an import does. */
  const importPlant = async (principal: Principal, plant: Plant): Promise<void> => {
    const call = { kind: 'add', plant: { principal, id: plant.id }, isSentOnce: false } as const;
    await observed(call, undefined, () => engine.observer.items.add({ principal, plant }, signal));
  };

  const removeExpired = async (): Promise<void> => {
    for (const key of new Set(starts.map(({ record }) => record.key))) {
      const record = await engine.observer.records.find(key, signal);
      if (record !== undefined && record.expires * 1000 <= time) await engine.removeRecord(key);
    }
  };

  const take = async (user: string, step: Step): Promise<void> => {
    const isOfPlant = step.kind === 'change' || step.kind === 'delete';
    for (let turn = 0; isOfPlant && starts.length === 0 && turn < turnsToWaitForPlant; turn += 1)
      await inTurn('waiting for a plant', () => Promise.resolve());
    const { request, isNew } = await inTurn(`${step.kind} begins`, async () => {
      if (step.kind === 'wait') {
        time += step.seconds * 1000;
        if (step.removesExpired) await removeExpired();
      }
      if (step.kind === 'import') {
        const first = writes.find(({ id, after }) => id === idOf(step.plant) && after !== undefined);
        if (first?.after !== undefined && first.principal !== 'nobody')
          await importPlant(first.principal, first.after.plant);
      }
      const request = requestOf(user, step);
      return { request, isNew: step.kind !== 'repeat' };
    });
    if (request === undefined) return;
    if (isNew) requests.push(request);
    await sendUntilDefinite(request);
  };

  // A plant of each user and of the group, and one that alice and the group have.
  for (const client of ['alice', 'bob'] as const)
    await importPlant(principalOf('user', `${client}${run}`), plantWith({ id: `of-${client}`, name: 'Ivy' }));
  for (const principal of [principalOf('user', `alice${run}`), principalOf('group', group)])
    await importPlant(principal, plantWith({ id: 'shared', name: 'Oak' }));

  const runClient = async (client: Client): Promise<void> => {
    for (const step of client.steps) await take(userOf(client), step);
  };
  await scheduler.waitFor(Promise.all(clients.map(runClient)));
  await scheduler.waitIdle();

  isConcurrent = false;
  const lastAnswers: Answer[] = [];
  for (const request of requests) {
    if (isDefinite(request.sends.at(-1)?.answer)) continue;
    let answer = await sendOnce(request);
    if (!isDefinite(answer)) {
      // In the last minute of its record, a request is not continued.
      time += secondsToFinish * 1000;
      answer = await sendOnce(request);
    }
    lastAnswers.push(answer);
  }
  const plantsBefore = await plantsNow();
  for (const request of requests.toReversed())
    if (request.key !== undefined) {
      let answer = await sendOnce(request);
      if (!isDefinite(answer)) {
        time += secondsToFinish * 1000;
        answer = await sendOnce(request);
      }
      lastAnswers.push(answer);
    }

  const listed: { principals: readonly Principal[]; ids: readonly string[] }[] = [];
  for (const user of new Set(clients.map(userOf))) {
    const caller = { subject: user, groups: [group], expiresAt: time / 1000 + 60 };
    const event = { requestContext: { authorizer: { lambda: caller } } };
    const dependencies = { store: engine.observer.store, log: recordingLog(), now: () => time };
    const { body = '' } = await list(dependencies, event, signal);
    const ids = z
      .array(plantSchema)
      .parse(JSON.parse(body))
      .map(({ id }) => id);
    listed.push({ principals: principalsOf(user), ids });
  }
  return { requests, writes, starts, lastAnswers, listed, plantsBefore, plants: await plantsNow() };
};

const eventFor = (id: string, accepted: readonly string[] | undefined): HttpEvent => ({
  pathParameters: { id },
  ...(accepted !== undefined && { headers: { 'if-match': accepted.map((each) => `"${each}"`).join(', ') } }),
});

const answerOf = ({ statusCode = 0, body = '', headers = {} }: HttpResult): Answer => {
  const { ETag: etag, Location: location } = headers;
  return {
    status: statusCode,
    ...(body !== '' && { plant: plantSchema.parse(JSON.parse(body)) }),
    ...(typeof etag === 'string' && { etag }),
    ...(typeof location === 'string' && { location }),
    isDocumented: true,
  };
};

const errorAnswer = (operation: ClientRequest['operation'], error: unknown): Answer => {
  // An error that no catalogue has is a defect of the operation, or of the model.
  if (!(error instanceof ServiceError)) throw error;
  const entries: readonly CatalogueEntry[] = Object.values(catalogues[operation]);
  const { statusCode, error: value } = error.entry;
  const isDocumented = entries.some((entry) => entry.error === value && entry.statusCode === statusCode);
  return { status: statusCode, error: value, isDocumented };
};
