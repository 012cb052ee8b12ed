import type { Flash } from '../../flash';

interface RollBack {
  readonly version: number;
  /** The current version; the rollback is refused if the zone has changed since. */
  readonly expected: number;
}

/** URL and fields of the form that rolls a zone back to `version`. */
export function buildRollBackForm(domainId: string, { version, expected }: RollBack): NonNullable<Flash['undo']> {
  return { action: `/domains/${domainId}/history/${version}/roll-back`, fields: { expected: String(expected) } };
}
