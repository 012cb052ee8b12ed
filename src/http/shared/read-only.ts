import { MethodNotAllowed } from './errors';

/** Refuses the other methods of a route that is only read. */
export function readOnly(): never {
  throw new MethodNotAllowed(['GET', 'HEAD']);
}
