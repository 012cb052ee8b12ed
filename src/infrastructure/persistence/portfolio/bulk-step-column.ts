import type { BulkAction, BulkStep } from '../../../domain/portfolio/bulk-job';
import { storedIn, text, type Column } from '../database/columns';

/**
 * What earlier versions read in place of a transfer, which they do not know and would call done: the lock of a domain. They do not
 * find one, because the item has the id of a transfer, and so the item fails there and nothing is ordered.
 */
const FOR_EARLIER_VERSIONS = { kind: 'transfer_lock', locked: true } as const;

/** JSON of a step. */
export function bulkStep<S extends BulkAction | BulkStep>(column: Column<string> = text()): Column<string, S> {
  return storedIn<string, S>(column, {
    read: (stored) => {
      const step = JSON.parse(stored) as S & { readonly transfer?: S };
      return step.transfer ?? step;
    },
    write: (step) => JSON.stringify(isOfTransfer(step) ? { ...FOR_EARLIER_VERSIONS, transfer: step } : step),
  });
}

function isOfTransfer({ kind }: BulkAction | BulkStep): boolean {
  return kind === 'transfer' || kind === 'transfer_order';
}
