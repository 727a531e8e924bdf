import { z } from 'zod';
import { UserError } from '../../terminal/user-error.ts';
import { accessLogLine } from './access-log.ts';
import { commonLogTime } from './event.ts';
import type { Exchange } from './gateway.ts';

/**
 * The access log's entry about a request, as the HTTP API writes it (AWS: "Customize HTTP API access logs"). A variable
 * without a value is `-`.
 * @param format the line with `$context` variables, from the template
 */
export const accessLogEntry = (format: string, exchange: Exchange): string => {
  const known = variablesOf(exchange);
  return format.replaceAll(/\$context\.([A-Za-z0-9_.]+)/g, (_variable, name: string) => {
    const value = known.get(name);
    // The format is JSON with the variables inside of strings.
    return value === undefined ? '-' : JSON.stringify(String(value)).slice(1, -1);
  });
};

type Value = string | number | boolean | undefined;

const variablesOf = ({
  method,
  path,
  requestId,
  time,
  milliseconds,
  routeKey,
  response,
  integration,
  authorizerError,
  authorizerContext,
}: Exchange): ReadonlyMap<string, Value> => {
  const latency = integration === undefined ? undefined : Math.round(integration.latency);
  return new Map<string, Value>([
    ['requestId', requestId],
    ['requestTime', commonLogTime(time)],
    ['requestTimeEpoch', time],
    ['httpMethod', method],
    ['path', path],
    ['stage', '$default'],
    ['routeKey', routeKey],
    ['status', response.statusCode],
    ['responseLength', response.body.length],
    ['responseLatency', Math.round(milliseconds)],
    ['integration.requestId', integration?.requestId],
    ['integration.status', integration?.status],
    ['integration.latency', latency],
    ['integrationLatency', latency],
    ['integration.error', integration?.error],
    ['integrationErrorMessage', integration?.error],
    ...propertiesOf(authorizerContext).map(([name, value]) => [`authorizer.${name}`, value] as const),
    ['authorizer.error', authorizerError],
  ]);
};

const contextSchema = z.record(z.string(), z.unknown()).catch({});

/** The authorizer's properties that are texts, numbers or truth values. */
const propertiesOf = (context: unknown): readonly (readonly [string, Value])[] =>
  Object.entries(contextSchema.parse(context)).flatMap(([name, value]) => {
    const { data } = z.union([z.string(), z.number(), z.boolean()]).safeParse(value);
    return data === undefined ? [] : [[name, data]];
  });

/**
 * How `npm start` writes its access log: a line for a person, or the HTTP API's entry, which only requests to the API have.
 * @param setting the value of `ACCESS_LOG`
 * @throws {UserError} unless it is `json`, empty or undefined
 */
export const accessLogWriter = (
  setting: string | undefined,
): ((exchange: Exchange) => string | undefined) => {
  switch (setting) {
    case undefined:
    case '':
      return accessLogLine;
    case 'json':
      return (exchange) =>
        exchange.accessLogFormat === undefined
          ? undefined
          : accessLogEntry(exchange.accessLogFormat, exchange);
    default:
      throw new UserError(`ACCESS_LOG must be "json" or unset; it is "${setting}".`);
  }
};
