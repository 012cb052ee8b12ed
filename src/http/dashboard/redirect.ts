import type { Response } from 'express';

/**
 * Redirects after a form (303 See Other). No body: express-session sends a body's first bytes before it stores the session,
 * and a browser that follows at once would miss the flash message.
 */
export function redirect(res: Response, path: string): void {
  res.status(303).location(path).end();
}
