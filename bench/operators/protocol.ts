import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** Connections to a store that checks no signatures: signing would take most of the time. */
export interface UnsignedClient {
  /** Sends a request of DynamoDB's protocol. @returns the response's JSON */
  readonly send: (operation: string, body: unknown) => Promise<string>;
  readonly close: () => void;
}

/** Of no account. The stores ask for the headers. */
const authorization =
  'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0';

export const responseTo = (sent: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    sent.once('response', resolve).once('error', reject);
  });

export const unsignedClient = (endpoint: string): UnsignedClient => {
  const agent = new Agent({ keepAlive: true });
  return {
    send: async (operation, body) => {
      const sent = request(endpoint, {
        agent,
        method: 'POST',
        headers: {
          authorization,
          'x-amz-date': '20260101T000000Z',
          'content-type': 'application/x-amz-json-1.0',
          'x-amz-target': `DynamoDB_20120810.${operation}`,
        },
      });
      sent.end(JSON.stringify(body));
      const response = await responseTo(sent);
      const json = await text(response);
      if (response.statusCode !== 200) throw new Error(`${operation}: ${json}`);
      return json;
    },
    close: () => {
      agent.destroy();
    },
  };
};
