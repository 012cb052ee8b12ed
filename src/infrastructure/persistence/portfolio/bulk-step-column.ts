import type { BulkAction, BulkStep } from '../../../domain/portfolio/bulk-job';
import { storedIn, text, type Column } from '../database/columns';

/**
 * What earlier versions read in place of an order that they do not know and would call done: the lock of a domain. They do not find
 * one, because the item has an id of no domain, and so the item fails there and nothing is ordered. That of a zone file has the id of
 * a domain: in place of it they read a record template that does not exist.
 */
const NO_DOMAIN = { kind: 'transfer_lock', locked: true } as const;
const NO_TEMPLATE = { kind: 'template', templateId: '', values: {} } as const;

/** JSON of a step. */
export function bulkStep<S extends BulkAction | BulkStep>(column: Column<string> = text()): Column<string, S> {
  return storedIn<string, S>(column, {
    read: (stored) => {
      const step = JSON.parse(stored) as S & { readonly [Member in Hidden[1]]?: S };
      return step.transfer ?? step.registration ?? step.zone_file ?? step;
    },
    write: (step) => {
      const [instead, member] = HIDDEN[step.kind] ?? [];
      return JSON.stringify(member === undefined ? step : { ...instead, [member]: step });
    },
  });
}

/** Separate members, because there are versions that know one of them. */
const HIDDEN: Partial<Record<(BulkAction | BulkStep)['kind'], Hidden>> = {
  transfer: [NO_DOMAIN, 'transfer'],
  transfer_order: [NO_DOMAIN, 'transfer'],
  registration: [NO_DOMAIN, 'registration'],
  registration_order: [NO_DOMAIN, 'registration'],
  zone_files: [NO_TEMPLATE, 'zone_file'],
  zone_file: [NO_TEMPLATE, 'zone_file'],
};
type Hidden = readonly [instead: object, member: 'transfer' | 'registration' | 'zone_file'];
