import { exchange, type Headers, type ServiceResponse } from '../../smoke/client.ts';
import { startFakeServer } from '../support/fake-server.ts';

/** A request to the service. */
export interface ServiceRequest {
  readonly path: string;
  readonly headers: Headers;
}

type RequestChange = (request: ServiceRequest) => ServiceRequest;

/** Changes a response to a request. If the result has a `text`, it is sent in place of the JSON of `body`. */
export type ResponseChange = (
  response: ServiceResponse,
  request: ServiceRequest,
) => ServiceResponse & { readonly text?: string };

/** Changes to requests and responses. */
export interface Alteration {
  readonly request?: RequestChange;
  readonly response?: ResponseChange;
}

/** The headers that the proxy's own connection to the service has. */
const ofConnection = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

/** Starts a proxy that alters a service's requests or responses, and closes it after use. */
export const withAltered = async <Result>(
  serviceUrl: string,
  {
    request: alterRequest = (request) => request,
    response: alterResponse = (response) => response,
  }: Alteration,
  use: (baseUrl: string) => Promise<Result>,
): Promise<Result> => {
  const proxy = await startFakeServer(async ({ method, path, headers: received, body: content }) => {
    const headersToPass = Object.entries(received).flatMap(([name, value]) =>
      value === undefined || ofConnection.has(name) ? [] : [[name, value] as const],
    );
    const altered = alterRequest({ path, headers: Object.fromEntries(headersToPass) });
    const response = await exchange(serviceUrl, altered.path, altered.headers, method, content);
    const { status, headers, body, text = textOf(body) } = alterResponse(response, altered);
    // The altered body is sent without compression.
    return { status, headers: { ...headers, 'content-encoding': undefined }, body: Buffer.from(text) };
  });
  try {
    return await use(proxy.url);
  } finally {
    await proxy.close();
  }
};

/** The JSON of a body. A response with status 204 has no body. */
const textOf = (body: unknown): string => (body === undefined ? '' : JSON.stringify(body));
