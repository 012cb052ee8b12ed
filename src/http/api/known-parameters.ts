import { ValidationError } from '../../domain/shared/validation-error';

/** The key may be sent as a parameter to every route. */
const EVERYWHERE = 'token';
const MAX_SHOWN = 100;

/** The query parameters of a route. Others are refused, because a misspelled filter would return everything. */
export class KnownParameters {
  private readonly accepted: ReadonlySet<string>;

  constructor(private readonly names: readonly string[]) {
    this.accepted = new Set([...names, EVERYWHERE]);
  }

  /** @throws ValidationError */
  assert(query: Readonly<Record<string, unknown>>): void {
    for (const name in query) if (!this.accepted.has(name)) throw this.errorFor(query);
  }

  private errorFor(query: Readonly<Record<string, unknown>>): ValidationError {
    const unknown = Object.keys(query).filter((name) => !this.accepted.has(name));
    const message =
      this.names.length === 0
        ? 'is unknown: this route has no query parameters'
        : `is unknown: the query parameters of this route are ${this.names.join(', ')}`;
    return new ValidationError(unknown.map((name) => ({ path: name.slice(0, MAX_SHOWN), message })));
  }
}
