import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { useOriginForm } from '../server/origin-form.ts';
import type { ReadBody, Respond } from './http-api.ts';

// A static import of node:http reads all its exports, which loads undici and delays the start.
const { createServer } = process.getBuiltinModule('node:http');

/**
 * How long a connection stays open between two requests, in milliseconds. With the default of Node.js, 5 s,
 * the server can close a connection just when a client sends its next request.
 */
const keepAliveTimeout = 300_000;

/** AWS: "Quotas for configuring and running an HTTP API in API Gateway", request line and header values. */
const maxHeaderSize = 10_240;

/** AWS: "Quotas for configuring and running an HTTP API in API Gateway", payload size. */
const maxBodyBytes = 10 * 1024 * 1024;

/** An HTTP server in front of an API. */
export const gatewayServer = (respond: Respond): Server => {
  const handle = async (message: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => {
    useOriginForm(message);
    const requestId = crypto.randomUUID();
    const readBody: ReadBody = async () => {
      if (Number(message.headers['content-length'] ?? 0) > maxBodyBytes) return undefined;
      // Without `100 Continue`, Node.js closes the connection after the response, because it cannot tell
      // whether the client still sends the body.
      if (expectsContinue) response.writeContinue();
      return bodyOf(message);
    };
    const { statusCode, headers, body, isBase64Encoded } = await respond(message, requestId, readBody);
    const content = Buffer.from(body, isBase64Encoded === true ? 'base64' : 'utf8');
    response.writeHead(statusCode, {
      ...(hasContent(statusCode) && { 'content-type': 'text/plain;charset=UTF-8' }),
      ...headers,
      ...(hasContent(statusCode) && { 'content-length': content.length }),
      'apigw-requestid': requestId,
    });
    response.end(content);
    // Discards the rest of the body, because some clients read the response only after they have sent it all.
    message.resume();
  };
  const listener = (expectsContinue: boolean) => (message: IncomingMessage, response: ServerResponse) => {
    handle(message, response, expectsContinue).catch(() => response.destroy());
  };
  return createServer({ maxHeaderSize, keepAliveTimeout }, listener(false)).on(
    'checkContinue',
    listener(true),
  );
};

/** Whether a response with this status has content, which may be empty (RFC 9110 section 6.4.1). */
const hasContent = (statusCode: number): boolean => ![204, 304].includes(statusCode);

/** Reads a body as it arrives; undefined as soon as the body is too large, without waiting for its end. */
const bodyOf = (message: IncomingMessage): Promise<Buffer | undefined> =>
  new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    message
      .on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes <= maxBodyBytes) parts.push(part);
        else resolve(undefined);
      })
      .on('end', () => {
        resolve(Buffer.concat(parts));
      })
      .on('error', reject);
  });
