import { compileFunction } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseMetricMath } from '../support/cloudwatch/metric-math.ts';
import { propertiesOf } from '../support/template-resources.ts';
import { stageNamed, templateOf } from '../support/synthesized.ts';

const widgetSchema = z.object({ properties: z.looseObject({ title: z.string() }) });
const bodySchema = z
  .object({ 'Fn::Join': z.tuple([z.literal(''), z.array(z.unknown())]) })
  // A reference to a resource is replaced by a text.
  .transform((body) =>
    body['Fn::Join'][1].map((part) => (typeof part === 'string' ? part : 'reference')).join(''),
  );
const dashboard = z
  .tuple([z.object({ DashboardBody: bodySchema })])
  .parse(propertiesOf(templateOf(stageNamed('prod')), 'AWS::CloudWatch::Dashboard'))[0];
const { widgets } = z.object({ widgets: z.array(widgetSchema) }).parse(JSON.parse(dashboard.DashboardBody));
const widget = (title: string) => widgets.find(({ properties }) => properties.title === title)?.properties;

describe('an objective', () => {
  const options = z.object({
    id: z.string().optional(),
    expression: z.string().default(''),
    label: z.string().default(''),
    visible: z.boolean().default(true),
  });
  /** A row of a widget: namespace, name and dimensions of a metric, if the row has one, and then options. */
  const metric = z.array(z.unknown()).transform((row) => {
    const [, name] = row;
    return { name: typeof name === 'string' ? name : undefined, options: options.parse(row.at(-1)) };
  });
  const objective = z.object({
    metrics: z.array(metric),
    start: z.literal('-P30D'),
    setPeriodToTimeRange: z.literal(true),
  });

  /** The values that a widget shows, by label, if its metrics have these values. */
  const shown = (title: string, counts: Readonly<Record<string, number>>) => {
    const { metrics } = objective.parse(widget(title));
    const valueOf = (id: string): number => {
      const query = metrics.find((candidate) => candidate.options.id === id);
      const { expression = '' } = query?.options ?? {};
      return expression === '' ? (counts[query?.name ?? ''] ?? NaN) : parseMetricMath(expression)(valueOf);
    };
    const visible = metrics.filter((query) => query.options.visible);
    return Object.fromEntries(
      visible.map(({ options: { label, expression } }) => [label, parseMetricMath(expression)(valueOf)]),
    );
  };

  const noData = 'no data of';
  it.each<[failures: number, retryable: number | typeof noData, met: number, left: number]>([
    [0, 0, 100, 100],
    [500, 250, 99.925, 25],
    [500, noData, 99.95, 50],
    [2000, 0, 99.8, -100],
  ])(
    'of success, with %i 5xx and %s retryable errors per million, is met by %f %%, budget left %i %%',
    (failures, retryable, met, left) => {
      const RetryableErrors = retryable === noData ? NaN : retryable;
      const values = shown('30 days: 99.9 % succeed', { Count: 1e6, '5xx': failures, RetryableErrors });
      expect(values['met, %']).toBeCloseTo(met);
      expect(values['budget left, %']).toBeCloseTo(left);
    },
  );

  it.each<[fast: number, left: number]>([
    [100, 100],
    [99.5, 50],
    [98, -100],
  ])('of latency, with %f %% of requests within 300 ms, leaves %i %% of the budget', (fast, left) => {
    const values = shown('30 days: 99 % within 300 ms', { Count: 1e6, Latency: fast });
    expect(values['met, %']).toBeCloseTo(fast);
    expect(values['budget left, %']).toBeCloseTo(left);
  });
});

type LogLine = Readonly<Record<string, unknown>>;

/** The value of a field such as `message.error`. */
const field = (line: LogLine, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => z.looseObject({}).safeParse(value).data?.[key], line);

/** Operators of Logs Insights that JavaScript writes differently. */
const operators = new Map(Object.entries({ and: '&&', or: '||', not: '!' }));

/**
 * Translates a filter of Logs Insights: `a.b = "x" and c in ["y"]` becomes
 * `field("a.b") === "x" && ["y"].includes(field("c"))`.
 */
const toJavaScript = (filter: string): string =>
  filter
    .replaceAll(/"[^"]*"|[a-zA-Z]\w*(?:\.\w+)*/g, (token) => {
      if (token.startsWith('"') || token === 'ispresent' || token === 'in') return token;
      return operators.get(token) ?? `field("${token}")`;
    })
    .replaceAll(/(field\("[\w.]+"\)) in (\[[^\]]*\])/g, '$2.includes($1)')
    .replaceAll(' = ', ' === ');

/** Evaluates a table's query: keeps the lines that match its filter, and shows the fields behind its `by`. */
const rows = (title: string, lines: readonly LogLine[]): readonly unknown[] => {
  const { query } = z.object({ query: z.string() }).parse(widget(title));
  const [, filter = ''] = /\| filter (.*)/.exec(query) ?? [];
  const [, names = ''] = /\| stats .* by (.*)/.exec(query) ?? [];
  const matches = compileFunction(`return ${toJavaScript(filter)}`, ['field', 'ispresent']);
  const isPresent = (value: unknown): boolean => value !== undefined;
  return lines
    .filter(
      (line) => Reflect.apply(matches, undefined, [(path: string) => field(line, path), isPresent]) === true,
    )
    .map((line) => {
      const values = names.split(', ').map((name): [string, unknown] => [name, field(line, name)]);
      return Object.fromEntries(values.filter(([, value]) => value !== undefined));
    });
};

/** Lambda's system log of an invocation (AWS, "Lambda Telemetry API Event schema reference"). */
const invocation = (status: string, errorType?: string): readonly LogLine[] => [
  { type: 'platform.start', record: { requestId: 'r', version: '7' } },
  ...(status === 'success'
    ? []
    : [{ type: 'platform.runtimeDone', record: { requestId: 'r', status, errorType } }]),
  { type: 'platform.report', record: { requestId: 'r', status, errorType } },
];
const thrown = { level: 'ERROR', requestId: 'r', message: { errorType: 'TypeError', stackTrace: [] } };
const operation = 'Why GET /plants failed';
const authorizer = 'Why the authorizer denied or failed';
const undecided = { event: 'undecided', cause: 'TypeError', version: '7' };
const failedInit = { level: 'ERROR', message: { errorType: 'UserError' } };
const failed = { event: 'request-failed', error: 2001, cause: 'Timeout', version: '7' };

it.each<[event: string, table: string, lines: readonly LogLine[], row: object]>([
  [
    'throws',
    operation,
    [thrown, ...invocation('error', 'Function.Unknown')],
    {
      'message.errorType': 'TypeError',
    },
  ],
  ['times out', operation, invocation('timeout'), { 'record.status': 'timeout' }],
  [
    'ends its process',
    operation,
    invocation('failure', 'Runtime.ExitError'),
    {
      'record.status': 'failure',
      'record.errorType': 'Runtime.ExitError',
    },
  ],
  [
    'runs out of memory',
    operation,
    invocation('failure', 'Runtime.OutOfMemory'),
    {
      'record.status': 'failure',
      'record.errorType': 'Runtime.OutOfMemory',
    },
  ],
  [
    'responds with error 2001',
    operation,
    [{ level: 'ERROR', requestId: 'r', message: failed }, ...invocation('success')],
    { 'message.error': 2001, 'message.cause': 'Timeout', 'message.version': '7' },
  ],
  [
    'throws',
    authorizer,
    [
      { level: 'ERROR', requestId: 'r', message: undecided },
      thrown,
      ...invocation('error', 'Function.Unknown'),
    ],
    { 'message.event': 'undecided', 'message.cause': 'TypeError', 'message.version': '7' },
  ],
  ['times out', authorizer, invocation('timeout'), { 'record.status': 'timeout' }],
  [
    'throws while it loads',
    authorizer,
    [failedInit, ...invocation('error', 'Function.Unknown')],
    {
      'message.errorType': 'UserError',
    },
  ],
])('a request whose function %s is one line of the table “%s”', (_, table, lines, row) => {
  expect(rows(table, lines)).toEqual([row]);
});

it.each([operation, authorizer])('a request that succeeds is no line of the table “%s”', (table) => {
  expect(rows(table, invocation('success'))).toEqual([]);
});
