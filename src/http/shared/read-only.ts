import { MethodNotAllowed } from './errors';

/** Rejects all methods except GET and HEAD. */
export function readOnly(): never {
  throw new MethodNotAllowed(['GET', 'HEAD']);
}
