import { z } from 'zod';
import { forward, type ReceivedRequest, type Reply, startFakeServer } from '../fake-server.ts';
import { credentials } from './dynamodb-table.ts';

/** An operation, with the actions that its role allows on the table. */
interface Operation {
  readonly id: string;
  readonly actions: readonly string[];
}

/**
 * Responds in place of the store to an action of an operation. `forward` sends the action to the store. A
 * rejection becomes an internal error of the store.
 */
type Intercept = (operation: string, action: string, forward: () => Promise<Reply>) => Promise<Reply>;

/** A store that identifies each operation by its access key, which is the operation's id. */
export interface GuardedStore {
  readonly url: string;
  /** The actions that each operation has used or tried to use, by its id. */
  readonly used: () => Readonly<Record<string, readonly string[]>>;
  /** Makes every request of an operation fail, or none. */
  readonly fail: (fails: boolean) => void;
  /** Replaces what happens to each allowed action of an operation; without an argument, it is forwarded. */
  readonly intercept: (run?: Intercept) => void;
  readonly close: () => Promise<void>;
}

const bodySchema = z.looseObject({
  TableName: z.string().optional(),
  IndexName: z.string().optional(),
  RequestItems: z.record(z.string(), z.unknown()).default({}),
});

const errorReply = (status: number, type: string): Reply => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: Buffer.from(JSON.stringify({ __type: type })),
});

const internalError = errorReply(500, 'InternalServerError');

/**
 * Starts a proxy in front of a store that refuses what the policy of an operation's role refuses on AWS: an
 * action that the operation does not name, an index, another table. The access key of tests has all rights.
 */
export const startGuardedStore = async (
  store: string,
  tableName: string,
  operations: readonly Operation[],
): Promise<GuardedStore> => {
  const used = new Map(operations.map(({ id }) => [id, new Set<string>()]));
  let fails = false;
  const forwardAlways: Intercept = (_operation, _action, forwarded) => forwarded();
  let intercept = forwardAlways;
  const respond = async (request: ReceivedRequest): Promise<Reply> => {
    const { 'x-amz-target': target = '', authorization = '' } = request.headers;
    const [, accessKey = ''] = /Credential=([^/]+)/.exec(authorization) ?? [];
    if (accessKey === credentials.accessKeyId) return forward(store, request);
    if (fails) return internalError;
    const action = target.toString().replace(/^.*\./, 'dynamodb:');
    used.get(accessKey)?.add(action);
    const { actions = [] } = operations.find(({ id }) => id === accessKey) ?? {};
    const { TableName, IndexName, RequestItems } = bodySchema.parse(JSON.parse(request.body.toString()));
    const tables = TableName === undefined ? Object.keys(RequestItems) : [TableName];
    const isAllowed =
      actions.includes(action) && IndexName === undefined && tables.every((table) => table === tableName);
    if (!isAllowed) return errorReply(400, 'AccessDeniedException');
    return intercept(accessKey, action, () => forward(store, request)).catch(() => internalError);
  };
  const { url, close } = await startFakeServer(respond);
  return {
    url,
    close,
    used: () => Object.fromEntries([...used].map(([id, actions]) => [id, [...actions].toSorted()])),
    fail: (next) => {
      fails = next;
    },
    intercept: (run = forwardAlways) => {
      intercept = run;
    },
  };
};
