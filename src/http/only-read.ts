import type { RequestHandler } from 'express';
import { MethodNotAllowed } from './errors';

/** Ends an address that is only read: it takes no other method. */
export const onlyRead: RequestHandler = () => {
  throw new MethodNotAllowed(['GET', 'HEAD']);
};
