import type { Express } from 'express';
import { IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';

/**
 * Classes for the requests and responses of node:http with Express's prototypes. Express would otherwise set the prototype
 * of each request, and V8 would move the request to the old generation: a fifth of the time of a small read
 * (docs/decisions/0011).
 */
export function expressMessages(app: Express): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  class Request extends IncomingMessage {}
  class Answer<R extends IncomingMessage> extends ServerResponse<R> {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Answer.prototype, app.response);
  app.request = Request.prototype as typeof app.request;
  app.response = Answer.prototype as typeof app.response;
  return { IncomingMessage: Request, ServerResponse: Answer };
}
