import { createServer } from 'node:http';
import { exchange, type Headers, type ServiceResponse } from '../../contract/client.ts';
import { startServer, stopServer } from '../loopback-server.ts';

/** A request to the service. */
export interface ServiceRequest {
  readonly path: string;
  readonly headers: Headers;
}

export type RequestChange = (request: ServiceRequest) => ServiceRequest;

/** `text` replaces the body's JSON. */
export type ResponseChange = (
  response: ServiceResponse,
  request: ServiceRequest,
) => ServiceResponse & { readonly text?: string };

/** Changes to requests and responses. */
export interface Alteration {
  readonly request?: RequestChange;
  readonly response?: ResponseChange;
}

/** Starts a proxy that alters a service's requests or responses, and stops it after use. */
export const withAltered = async <Result>(
  serviceUrl: string,
  { request = (same) => same, response: alter = (same) => same }: Alteration,
  use: (baseUrl: string) => Promise<Result>,
): Promise<Result> => {
  const server = createServer((message, response) => {
    const { authorization, 'accept-encoding': acceptEncoding } = message.headers;
    const altered = request({
      path: message.url ?? '',
      headers: {
        ...(authorization !== undefined && { authorization }),
        ...(acceptEncoding !== undefined && { 'accept-encoding': acceptEncoding }),
      },
    });
    void exchange(serviceUrl, altered.path, altered.headers, message.method).then((received) => {
      const { status, headers, body, text = JSON.stringify(body) } = alter(received, altered);
      for (const [name, value] of Object.entries(headers)) {
        // The altered body is not compressed, and has another length.
        const describesBody = name === 'content-encoding' || name === 'content-length';
        if (value !== undefined && !describesBody) response.setHeader(name, value);
      }
      response.writeHead(status).end(text);
    });
  });
  try {
    return await use(await startServer(server));
  } finally {
    await stopServer(server);
  }
};
