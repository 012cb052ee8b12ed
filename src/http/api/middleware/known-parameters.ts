import type { RequestHandler } from 'express';
import { ValidationError } from '../../../domain/shared/validation-error';

/** The key may be sent as a parameter to every route. */
const EVERYWHERE = 'token';
const MAX_SHOWN = 100;

/** Refuses query parameters that the route does not have, as a misspelled filter would return everything. @throws ValidationError */
export function knownParameters(known: readonly string[]): RequestHandler {
  const accepted = new Set([...known, EVERYWHERE]);
  const message =
    known.length === 0
      ? 'is unknown: this route has no query parameters'
      : `is unknown: the query parameters of this route are ${known.join(', ')}`;
  return ({ query }, _res, next) => {
    const unknown = Object.keys(query).filter((name) => !accepted.has(name));
    if (unknown.length > 0)
      throw new ValidationError(unknown.map((name) => ({ path: name.slice(0, MAX_SHOWN), message })));
    next();
  };
}
