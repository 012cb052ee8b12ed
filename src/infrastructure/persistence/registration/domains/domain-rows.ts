import { Domain, type DomainState } from '../../../../domain/registration/domain';
import type { DomainStatus } from '../../../../domain/registration/domain-status';
import { toUnicodeName } from '../../../../domain/shared/idna';
import { columnsOf, mappingOf, rowOf, stateOf } from '../../database/table';
import { DomainTable, type DomainRow } from '../registration-tables';
import { TAGS } from './domain-codecs';

export const DOMAIN_COLUMNS = columnsOf(DomainTable, {
  except: ['live_name', 'unicode_name', 'ended_at', 'registrant_erased', 'health_checked_at'],
});
/** Statuses of names that have ended. */
const ENDED: readonly DomainStatus[] = ['transferred_out', 'gone'];
/** Statuses in which another account may have the name, too. */
const INACTIVE: readonly DomainStatus[] = ['unverified', ...ENDED];

export function toRow(state: DomainState): DomainRow {
  return rowOf(DomainTable, state, {
    live_name: liveNameOf(state),
    unicode_name: toUnicodeName(state.name) ?? null,
    first_nameserver: state.nameservers[0] ?? '',
    first_tag: state.tags[0] ?? '',
    ended_at: ENDED.includes(state.status) ? state.updatedAt.getTime() : null,
    ...NEVER_CHECKED,
  });
}

/** Of a new domain; a change leaves it as it is. */
const NEVER_CHECKED = { registrant_erased: 0, health_rank: 4, health_checked_at: 0, renewal_price: -1 };

/** A name, in `live_name` of a registration that is pending. */
export function pendingName(name: string): string {
  return `${name}.`;
}

function liveNameOf({ name, status, keptZone }: DomainState): string | null {
  if (INACTIVE.includes(status)) return null;
  return status === 'pending' && keptZone?.status !== 'hosted' ? pendingName(name) : name;
}

const LISTED = [
  'id',
  'name',
  'status',
  'expires_at',
  'auto_renew',
  'transfer_locked',
  'nameservers',
  'tags',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof DomainRow)[];
export const LISTED_COLUMNS = LISTED.join(', ');
export type ListedRow = Pick<DomainRow, (typeof LISTED)[number]>;

export const { stateOf: toListed } = mappingOf(DomainTable, LISTED);

export function toDomainState(row: DomainRow): DomainState {
  return stateOf(DomainTable, row);
}

/**
 * SQLite rewrites every index over a column that is set, whatever it is set to: what stays as it was is left out. The health of a
 * domain that has ended is not checked again.
 */
export function differences(before: DomainRow, { id: _key, ...after }: DomainRow): Partial<DomainRow> {
  const columns = Object.keys(after) as (keyof typeof after)[];
  const changes: Partial<DomainRow> = Object.fromEntries(
    columns.filter((column) => before[column] !== after[column]).map((column) => [column, after[column]]),
  );
  return changes.ended_at ? { ...changes, health_checked_at: null } : changes;
}

export function toDomain(row: DomainRow | undefined): Domain | undefined {
  return row && Domain.fromState(toDomainState(row));
}

export function tagsOf({ tags }: Pick<DomainRow, 'tags'>): readonly string[] {
  return TAGS.read(tags);
}
