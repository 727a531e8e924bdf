import { strict as assert } from 'node:assert';
import { exchange, type ServiceResponse } from '../../smoke/client.ts';
import { type Description, type Exchange, serviceDescription } from '../../smoke/response-differences.ts';

/** Headers that need no description: headers of HTTP itself, and headers that MiniStack and SAM add. */
const undescribedHeaders = new Set([
  ...['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'],
  ...['server', 'x-amzn-requestid'],
]);

/** Checks responses against a description, and records which described responses occurred. */
interface DescribedResponses {
  /** Fails unless status, content and all headers of a response are as described. */
  readonly expectDescribed: (...exchange: Exchange) => void;
  /**
   * The described responses, headers and media types that have not occurred, as in `GET /plants 200 vary`.
   */
  readonly unobserved: () => readonly string[];
}

export const describedResponses = (description: Description): DescribedResponses => {
  const { routes, routeOf, headerNames, responseDifferences } = description;
  const observed = new Set<string>();
  return {
    expectDescribed: (...exchange) => {
      const [request, status, headers] = exchange;
      const names = Object.keys(headers).filter((name) => headers[name] !== undefined);
      const unknown = names.filter((name) => !headerNames.has(name) && !undescribedHeaders.has(name));
      const differences = [
        ...responseDifferences(...exchange),
        ...unknown.map((name) => `expected no ${name}`),
      ];
      assert(
        differences.length === 0,
        `${differences.join('; ')}, in ${JSON.stringify(exchange).slice(0, 500)}`,
      );
      for (const { key } of [routeOf(request) ?? routes].flat())
        for (const part of ['', ...names, headers['content-type'] ?? ''])
          observed.add(`${key} ${String(status)} ${part}`.trimEnd());
    },

    unobserved: () =>
      routes.flatMap(({ key, responses }) =>
        [...responses].flatMap(([status, { headers, content }]) => {
          const response = `${key} ${status}`;
          if (!observed.has(response)) return response;
          const parts = [...headers.keys(), ...content.keys()].map((part) => `${response} ${part}`);
          return parts.filter((part) => !observed.has(part));
        }),
      ),
  };
};

const { expectDescribed, unobserved } = describedResponses(serviceDescription);
export { unobserved };

/** Sends a request as `exchange` does, and fails unless the response is as `openapi.yaml` describes. */
export const send = async (...request: Parameters<typeof exchange>): Promise<ServiceResponse> => {
  const [, target, , method = 'GET'] = request;
  const response = await exchange(...request);
  expectDescribed(`${method} ${target}`, response.status, response.headers, response.body);
  return response;
};
