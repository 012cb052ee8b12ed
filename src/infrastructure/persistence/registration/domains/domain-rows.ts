import type { ListedDomain } from '../../../../application/ports/registration/domain-repository';
import { Domain, type DomainState } from '../../../../domain/registration/domain';
import type { DomainStatus } from '../../../../domain/registration/domain-status';
import type { Registrant } from '../../../../domain/registration/registrant';
import { toUnicodeName } from '../../../../domain/shared/idna';
import { columnsOf, fromMillis, fromNullableMillis } from '../../database/table';
import { EMPTY_REGISTRANT } from './empty-registrant';
import { DomainTable, type DomainRow } from '../registration-tables';

export const DOMAIN_COLUMNS = columnsOf(DomainTable, {
  except: ['live_name', 'unicode_name', 'ended_at', 'registrant_erased', 'health_checked_at'],
});
/** Statuses of names that have ended. */
const ENDED: readonly DomainStatus[] = ['transferred_out', 'gone'];
/** Statuses in which another account may have the name, too. */
const INACTIVE: readonly DomainStatus[] = ['unverified', ...ENDED];

/** What the state of a domain does not have, of a new one. */
export const NEVER_CHECKED = {
  registrant_erased: 0,
  health_rank: 4,
  health_checked_at: 0,
  renewal_price: -1,
} as const satisfies Partial<DomainRow>;

type StateRow = Omit<DomainRow, keyof typeof NEVER_CHECKED>;

export function toRow(state: DomainState): StateRow {
  return {
    id: state.id,
    account_id: state.accountId,
    name: state.name,
    live_name: liveNameOf(state),
    unicode_name: toUnicodeName(state.name) ?? null,
    status: state.status,
    expires_at: state.expiresAt.getTime(),
    auto_renew: Number(state.autoRenew),
    transfer_locked: Number(state.transferLocked),
    nameservers: JSON.stringify(state.nameservers),
    tags: state.tags.length === 0 ? null : JSON.stringify(state.tags),
    first_nameserver: state.nameservers[0] ?? '',
    first_tag: state.tags[0] ?? '',
    registrant: JSON.stringify(state.registrant ?? EMPTY_REGISTRANT),
    phase_ends_at: state.phaseEndsAt?.getTime() ?? null,
    renewal_tried_at: state.renewalTriedAt?.getTime() ?? null,
    auth_code_until: state.authCodeUntil?.getTime() ?? null,
    due_at: state.dueAt?.getTime() ?? null,
    transfer_pending: Number(state.transferPending),
    registrar_renews: Number(state.registrarRenews),
    transfer_requested_at: state.transferRequestedAt?.getTime() ?? null,
    transfer_ends_at: state.transferEndsAt?.getTime() ?? null,
    registered_at: state.registeredAt?.getTime() ?? null,
    backup_expires_at: state.inBackup?.expiresAt.getTime() ?? null,
    repeats_until: state.inBackup?.repeatsUntil.getTime() ?? null,
    kept_zone: state.keptZone?.status ?? null,
    kept_nameservers: state.keptZone?.nameservers ? JSON.stringify(state.keptZone.nameservers) : null,
    created_at: state.createdAt.getTime(),
    updated_at: state.updatedAt.getTime(),
    ended_at: ENDED.includes(state.status) ? state.updatedAt.getTime() : null,
  };
}

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

export function toListed(row: ListedRow): ListedDomain {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    expiresAt: fromMillis(row.expires_at),
    autoRenew: row.auto_renew === 1,
    transferLocked: row.transfer_locked === 1,
    nameservers: JSON.parse(row.nameservers) as string[],
    tags: tagsOf(row),
    createdAt: fromMillis(row.created_at),
    updatedAt: fromMillis(row.updated_at),
  };
}

function readRegistrant(json: string): Registrant | null {
  return json === JSON.stringify(EMPTY_REGISTRANT) ? null : (JSON.parse(json) as Registrant);
}

function inBackupOf({ backup_expires_at: expiry, repeats_until: until }: DomainRow): DomainState['inBackup'] {
  return expiry === null || until === null ? null : { expiresAt: fromMillis(expiry), repeatsUntil: fromMillis(until) };
}

function keptZoneOf({ kept_zone: status, kept_nameservers: hosts }: DomainRow): DomainState['keptZone'] {
  return status && { status, nameservers: hosts === null ? null : (JSON.parse(hosts) as string[]) };
}

export function toDomainState(row: DomainRow): DomainState {
  return {
    accountId: row.account_id,
    registrant: readRegistrant(row.registrant),
    phaseEndsAt: fromNullableMillis(row.phase_ends_at),
    renewalTriedAt: fromNullableMillis(row.renewal_tried_at),
    authCodeUntil: fromNullableMillis(row.auth_code_until),
    dueAt: fromNullableMillis(row.due_at),
    transferPending: row.transfer_pending === 1,
    transferRequestedAt: fromNullableMillis(row.transfer_requested_at),
    transferEndsAt: fromNullableMillis(row.transfer_ends_at),
    registrarRenews: row.registrar_renews === 1,
    registeredAt: fromNullableMillis(row.registered_at),
    inBackup: inBackupOf(row),
    keptZone: keptZoneOf(row),
    ...toListed(row),
  };
}

/**
 * SQLite rewrites every index over a column that is set, whatever it is set to: what stays as it was is left out. The health of a
 * domain that has ended is not checked again.
 */
export function differences(before: StateRow, { id: _key, ...after }: StateRow): Partial<DomainRow> {
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
  return tags === null ? [] : (JSON.parse(tags) as string[]);
}
