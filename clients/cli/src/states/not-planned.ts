/** Why the service has no plan of a file. */
export interface Refusal {
  readonly file: string;
  readonly name: string;
  readonly code: string;
  readonly message: string;
  readonly details: string | null;
}

/** Files that cannot be planned. */
export class NotPlanned extends Error {
  override readonly name = 'NotPlanned';

  constructor(readonly refusals: readonly Refusal[]) {
    super(refusals.map(({ name }) => name).join(', '));
  }
}
