import { createHash, createHmac } from 'node:crypto';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { variable } from '../../../functions/shared/environment.ts';
import type { Item, ReadItems } from '../../alternatives/list-plants.ts';
import { plainHandler } from '../../alternatives/plain-handler.ts';

const endpoint = new URL(variable(process.env, 'AWS_ENDPOINT_URL_DYNAMODB'));
const region = variable(process.env, 'AWS_REGION');
const accessKeyId = variable(process.env, 'AWS_ACCESS_KEY_ID');
const secretAccessKey = variable(process.env, 'AWS_SECRET_ACCESS_KEY');
const sessionToken = variable(process.env, 'AWS_SESSION_TOKEN');
const tableName = variable(process.env, 'TABLE_NAME');

const agent = new Agent({ keepAlive: true });
const target = 'DynamoDB_20120810.Query';
const signedHeaders = 'host;x-amz-date;x-amz-security-token;x-amz-target';

const hash = (data: string): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest();

const sign = (body: string): Record<string, string> => {
  const time = new Date().toISOString().replace(/[:-]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/dynamodb/aws4_request`;
  const canonical = [
    'POST',
    '/',
    '',
    `host:${endpoint.host}`,
    `x-amz-date:${time}`,
    `x-amz-security-token:${sessionToken}`,
    `x-amz-target:${target}`,
    '',
    signedHeaders,
    hash(body),
  ].join('\n');
  const key = [day, region, 'dynamodb', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${secretAccessKey}`,
  );
  const signature = hmac(key, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hash(canonical)}`).toString('hex');
  return {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-date': time,
    'x-amz-security-token': sessionToken,
    'x-amz-target': target,
    authorization: [
      `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}`,
      `SignedHeaders=${signedHeaders}`,
      `Signature=${signature}`,
    ].join(', '),
  };
};

type Attribute = { readonly S: string } | undefined;

interface QueryOutput {
  readonly Items: readonly {
    readonly sortKey: Attribute;
    readonly name: Attribute;
    readonly tag: Attribute;
  }[];
  readonly LastEvaluatedKey?: unknown;
}

/** Checks no more than needed, since this is a lower bound. */
const isQueryOutput = (value: unknown): value is QueryOutput =>
  typeof value === 'object' && value !== null && 'Items' in value;

const query = async (input: object): Promise<QueryOutput> => {
  const sent = JSON.stringify(input);
  const { promise, resolve, reject } = Promise.withResolvers<QueryOutput>();
  request(endpoint, { method: 'POST', agent, headers: sign(sent) }, (response) => {
    text(response).then((body) => {
      const output: unknown = JSON.parse(body);
      if (isQueryOutput(output)) resolve(output);
      else reject(new Error(body));
    }, reject);
  })
    .on('error', reject)
    .end(sent);
  return promise;
};

const readItems: ReadItems = async (principal, limit) => {
  const items: Item[] = [];
  let lastKey: unknown;
  do {
    const output = await query({
      TableName: tableName,
      KeyConditionExpression: 'principal = :principal',
      ExpressionAttributeValues: { ':principal': { S: principal } },
      ProjectionExpression: 'sortKey, #name, tag',
      ExpressionAttributeNames: { '#name': 'name' },
      Limit: limit,
      ExclusiveStartKey: lastKey,
    });
    for (const { sortKey, name, tag } of output.Items) {
      items.push({ sortKey: sortKey?.S ?? '', name: name?.S ?? '', tag: tag?.S });
    }
    lastKey = output.LastEvaluatedKey;
  } while (lastKey !== undefined && items.length < limit);
  return items;
};

/** The least that the task can cost: only Node's built-in modules, no retries, no deadlines, no checks. */
export const handler = plainHandler(readItems);
