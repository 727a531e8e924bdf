import {
  type Answer,
  type ClientRequest,
  isDefinite,
  type PlantWrite,
  type Send,
  type Trace,
} from './run-model.ts';
import { secondsToRepeat } from '../../table/request-record.ts';

/** Returns a sentence for each way in which a run breaks the law; none if the law holds. */
type Law = (trace: Trace) => readonly string[];

const sendsOf = ({ requests }: Trace): readonly Send[] => requests.flatMap(({ sends }) => sends);

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A request with a key adds at most one plant in a day, and all its 201 responses are equal. */
export const addsOncePerKey: Law = (trace) => {
  const broken: string[] = [];
  const { starts, writes } = trace;
  for (const { record, time } of starts)
    for (const other of starts)
      if (other.record.key === record.key && other.record.id !== record.id)
        if (Math.abs(other.time - time) < secondsToRepeat * 1000)
          broken.push(`${record.id} and ${other.record.id} were started with a key within a day`);
  for (const { by, id, before, after } of writes)
    if (by?.request.operation === 'add' && before === undefined && after !== undefined) {
      const key = after.origin?.request;
      if ((key === undefined) !== (by.request.key === undefined)) broken.push(`${id} has the wrong origin`);
      const isStarted = starts.some(({ record }) => record.key === key && record.id === id);
      if (key !== undefined && !isStarted) broken.push(`${id} was added without a record`);
    }

  const first = new Map<string, Answer>();
  for (const { request, answer, sentAt, answeredAt } of sendsOf(trace)) {
    if (request.operation !== 'add' || answer?.plant === undefined) continue;
    const { id } = answer.plant;
    if (!writes.some((write) => write.id === id && write.before === undefined))
      broken.push(`${id} was answered, and never added`);
    if (request.key === undefined) continue;
    const earlier = first.get(id) ?? answer;
    first.set(id, earlier);
    if (!isSame(earlier, answer)) broken.push(`the responses with ${id} differ`);
    const start = starts.find(({ record }) => record.id === id);
    const next = starts.find(
      ({ record, time }) => start && record.key === start.record.key && time > start.time,
    );
    const isCurrent = start !== undefined && start.time <= answeredAt && (next?.time ?? sentAt) >= sentAt;
    if (!isCurrent) broken.push(`${id} was answered to a request of another day`);
  }
  return broken;
};

/** Whether the item that a write found was put back by a repetition after a deletion of the plant. */
const wasPutBack = (writes: readonly PlantWrite[], index: number): boolean => {
  const { principal, id } = writes[index] ?? {};
  const earlier = writes.slice(0, index).filter((write) => write.principal === principal && write.id === id);
  const added = earlier.findLastIndex(({ before }) => before === undefined);
  const isDeleted = earlier.slice(0, added).some(({ after }) => after === undefined);
  return isDeleted && earlier[added]?.by !== undefined;
};

/**
 * Once each request has its answer, a plant whose deletion was answered with 204 is in no list and is found
 * by no request, whatever is repeated later. A plant disappears only by a deletion.
 */
export const staysDeleted: Law = (trace) => {
  const broken: string[] = [];
  const { writes, plantsBefore, plants, listed } = trace;
  for (const { request, answer, deletesFrom, writesBefore } of sendsOf(trace)) {
    if (request.operation !== 'delete' || answer?.status !== 204) continue;
    const { id = '' } = request;
    for (const principal of deletesFrom) {
      const isThis = (write: { readonly principal: string; readonly id: string }): boolean =>
        write.principal === principal && write.id === id;
      const isImported = writes.slice(writesBefore).some((write) => write.by === undefined && isThis(write));
      const left = [...plantsBefore, ...plants].filter(({ key, item }) => isThis(key) && item !== undefined);
      // If a process ended and left the plant, only a repetition before the record expires removes the plant.
      if (isImported || left.some(({ isExpired }) => isExpired && isLeft(trace, id))) continue;
      if (left.length > 0) broken.push(`${id} of ${principal} was deleted, and is there`);
      const others = plants.filter(({ key, item }) => key.id === id && item !== undefined && !isThis(key));
      for (const { principals, ids } of listed)
        if (principals.includes(principal) && ids.includes(id))
          if (!others.some(({ key }) => principals.some((each) => each === key.principal)))
            broken.push(`${id} was deleted, and is listed`);
    }
  }
  for (const [index, { by, id, before, after }] of writes.entries()) {
    if (after !== undefined || before === undefined) continue;
    const { operation, accepted } = by?.request ?? {};
    const isAsked =
      operation === 'delete' && by?.request.id === id && (accepted?.includes(before.version) ?? true);
    const isRepair = operation === 'add' && wasPutBack(writes, index);
    if (!isAsked && !isRepair) broken.push(`${id} disappeared by ${String(operation)}`);
  }
  return broken;
};

/** Whether the request that last added this plant got no definite answer. */
const isLeft = ({ writes }: Trace, id: string): boolean => {
  const added = writes.findLast((write) => write.id === id && write.before === undefined);
  return added?.by !== undefined && !isDefinite(added.by.answer);
};

/**
 * Each acknowledged change was applied exactly once, to the version that its `If-Match` names, and is in the
 * plant until a later change or a deletion. Until then, its repetitions get 200. No version
 * recurs.
 */
export const losesNoChange: Law = (trace) => {
  const broken: string[] = [];
  const { writes } = trace;
  const isChange = ({ before, after }: PlantWrite): boolean => before !== undefined && after !== undefined;
  for (const { by, id, before, after } of writes) {
    if (before === undefined || after === undefined) continue;
    if (by?.request.operation !== 'change') broken.push(`${id} was overwritten`);
    else if (by.request.accepted?.includes(before.version) !== true)
      broken.push(`${id} was changed from a version that If-Match does not name`);
  }
  const made = new Map<string, Set<string>>();
  for (const { principal, id, before, after } of writes) {
    if (after === undefined) continue;
    const versions = (before && made.get(`${principal} ${id}`)) ?? new Set();
    if (versions.has(after.version)) broken.push(`a version of ${id} came back`);
    made.set(`${principal} ${id}`, versions.add(after.version));
  }
  for (const { request, answer } of sendsOf(trace)) {
    if (request.operation !== 'change' || answer?.status !== 200) continue;
    const changes = writes.filter(
      (write) =>
        isChange(write) && write.id === request.id && `"${write.after?.version ?? ''}"` === answer.etag,
    );
    const additions = writes.filter(({ id, before }) => id === request.id && before === undefined);
    const copies = new Set(changes.map(({ principal }) => principal));
    const [change] = changes;
    if (change === undefined) broken.push(`a change of ${String(request.id)} was answered, and never made`);
    // After a deletion, a repetition can put the plant back for a moment, and change it again.
    else if (copies.size > 1 || changes.length > additions.length)
      broken.push(`a change of ${String(request.id)} was made twice`);
    else if (!isSame(change.after?.plant, answer.plant))
      broken.push('the response to a change differs from it');
    else if (!isSame(change.by?.request.event.body, request.event.body))
      broken.push('another change was made');
  }
  for (const { request, answer, writesBefore, writesAfter } of sendsOf(trace)) {
    if (request.operation !== 'change' || answer?.status !== 412) continue;
    const isOfPlant = ({ id }: PlantWrite): boolean => id === request.id;
    const last = writes.slice(0, writesBefore).findLast(isOfPlant);
    if (last?.by?.request === request && !writes.slice(writesBefore, writesAfter).some(isOfPlant))
      broken.push(`a repetition of the last change of ${String(request.id)} got 412`);
  }
  return broken;
};

/** Another body or group with a used key never adds a plant. */
export const refusesOtherContents: Law = (trace) => {
  const broken: string[] = [];
  const contentOf = (id: string): string | undefined =>
    trace.starts.find(({ record }) => record.id === id)?.by.request.content;
  const isOther = (request: ClientRequest, id: string): boolean =>
    request.key !== undefined && request.content !== contentOf(id);
  for (const { by, id } of trace.writes)
    if (by?.request.operation === 'add' && isOther(by.request, id)) broken.push(`${id} has another content`);
  for (const { request, answer } of sendsOf(trace))
    if (request.operation === 'add' && answer?.plant !== undefined && isOther(request, answer.plant.id))
      broken.push(`${answer.plant.id} was answered to another content`);
  return broken;
};

/** The statuses of definite answers. */
const statuses: Readonly<Record<ClientRequest['operation'], readonly number[]>> = {
  add: [201, 422],
  change: [200, 404, 412],
  delete: [204, 404, 412],
  find: [200, 404],
};

/** Each answer is a documented one; after all faults, each repetition gets a definite answer. */
export const answersEveryRequest: Law = (trace) => [
  ...sendsOf(trace).flatMap(({ request: { operation }, answer }) => {
    if (answer === undefined) return [`${operation} got no answer`];
    const { status, error } = answer;
    if (!answer.isDocumented || (isDefinite(answer) && !statuses[operation].includes(status)))
      return [`${operation} got ${String(status)}, ${String(error)}`];
    return [];
  }),
  ...trace.lastAnswers
    .filter((answer) => !isDefinite(answer))
    .map(() => 'a repetition got no definite answer'),
];
