import type { Express } from 'express';
import { IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';

/**
 * The classes of which node:http is to make the requests and answers of `app`, so that they have Express's prototypes
 * from the start. Express sets them on every request otherwise, and V8 then carries the request, and all that hangs on
 * it, into the old generation: a fifth of the time that a small read takes (docs/decisions/0011).
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
