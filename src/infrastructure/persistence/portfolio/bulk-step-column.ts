import type { BulkAction, BulkStep } from '../../../domain/portfolio/bulk-job';
import { storedIn, text, type Column } from '../database/columns';

/**
 * What earlier versions read in place of an order that they do not know and would call done: the lock of a domain. They do not find
 * one, because the item has an id of no domain, and so the item fails there and nothing is ordered.
 */
const FOR_EARLIER_VERSIONS = { kind: 'transfer_lock', locked: true } as const;

/** JSON of a step. */
export function bulkStep<S extends BulkAction | BulkStep>(column: Column<string> = text()): Column<string, S> {
  return storedIn<string, S>(column, {
    read: (stored) => {
      const step = JSON.parse(stored) as S & { readonly transfer?: S; readonly registration?: S };
      return step.transfer ?? step.registration ?? step;
    },
    write: (step) => {
      const order = ORDER_OF[step.kind];
      return JSON.stringify(order ? { ...FOR_EARLIER_VERSIONS, [order]: step } : step);
    },
  });
}

/** Separate members, because there are versions that know one of them. */
const ORDER_OF: Partial<Record<(BulkAction | BulkStep)['kind'], 'transfer' | 'registration'>> = {
  transfer: 'transfer',
  transfer_order: 'transfer',
  registration: 'registration',
  registration_order: 'registration',
};
