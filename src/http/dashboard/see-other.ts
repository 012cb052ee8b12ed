import type { Response } from 'express';

/**
 * Redirects after a form (303). Without a body, because express-session sends a body's first bytes before the session is
 * stored: a browser that follows at once would miss the flash message.
 */
export function seeOther(res: Response, path: string): void {
  res.status(303).location(path).end();
}
