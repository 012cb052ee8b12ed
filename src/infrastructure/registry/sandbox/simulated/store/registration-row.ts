import type { GlueHost } from '../../../../../application/ports/registry/registry-port';
import type { Registrant } from '../../../../../domain/registration/registrant';
import { fromNullableMillis } from '../../../../persistence/database/table';
import { nextTransitionAt } from '../registration-lifecycle';
import type { Registration, RegistrationDetails } from '../registration';

export interface RegistrationRow {
  readonly name: string;
  readonly sponsor: string;
  readonly creator: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly phase: Registration['phase'];
  readonly phase_ends_at: number | null;
  readonly auto_renewed_from: number | null;
  readonly add_grace_ends_at: number | null;
  readonly refundable: number;
  readonly transfer_locked: number;
  readonly transfer_to: string | null;
  readonly transfer_ends_at: number | null;
  readonly auth_code_digest: string | null;
  readonly auth_code_expires_at: number | null;
  readonly nameservers: string;
  readonly glue: string;
  readonly registrant: string;
  readonly details: string | null;
  /** Derived, for queries of due registrations. */
  readonly next_due_at: number;
}

export const REGISTRATION_COLUMNS = [
  'name',
  'sponsor',
  'creator',
  'created_at',
  'expires_at',
  'phase',
  'phase_ends_at',
  'auto_renewed_from',
  'add_grace_ends_at',
  'refundable',
  'transfer_locked',
  'transfer_to',
  'transfer_ends_at',
  'auth_code_digest',
  'auth_code_expires_at',
  'nameservers',
  'glue',
  'registrant',
  'details',
  'next_due_at',
] as const satisfies readonly (keyof RegistrationRow)[];

export function toRow(registration: Registration): RegistrationRow {
  const { transfer, authCode } = registration;
  return {
    name: registration.name,
    sponsor: registration.sponsor,
    creator: registration.creator,
    created_at: registration.createdAt.getTime(),
    expires_at: registration.expiresAt.getTime(),
    phase: registration.phase,
    phase_ends_at: registration.phaseEndsAt?.getTime() ?? null,
    auto_renewed_from: registration.autoRenewedFrom?.getTime() ?? null,
    add_grace_ends_at: registration.addGraceEndsAt?.getTime() ?? null,
    refundable: registration.refundable,
    transfer_locked: Number(registration.transferLocked),
    transfer_to: transfer?.gaining ?? null,
    transfer_ends_at: transfer?.endsAt.getTime() ?? null,
    auth_code_digest: authCode?.digest ?? null,
    auth_code_expires_at: authCode?.expiresAt.getTime() ?? null,
    nameservers: JSON.stringify(registration.nameservers),
    glue: JSON.stringify(registration.glue),
    registrant: JSON.stringify(registration.registrant),
    details: registration.details && JSON.stringify(registration.details),
    next_due_at: nextTransitionAt(registration).getTime(),
  };
}

export function toRegistration(row: RegistrationRow): Registration {
  return {
    name: row.name,
    sponsor: row.sponsor,
    creator: row.creator,
    createdAt: new Date(row.created_at),
    expiresAt: new Date(row.expires_at),
    phase: row.phase,
    phaseEndsAt: fromNullableMillis(row.phase_ends_at),
    autoRenewedFrom: fromNullableMillis(row.auto_renewed_from),
    addGraceEndsAt: fromNullableMillis(row.add_grace_ends_at),
    refundable: row.refundable,
    transferLocked: row.transfer_locked === 1,
    transfer:
      row.transfer_to === null || row.transfer_ends_at === null
        ? null
        : { gaining: row.transfer_to, endsAt: new Date(row.transfer_ends_at) },
    authCode:
      row.auth_code_digest === null || row.auth_code_expires_at === null
        ? null
        : { digest: row.auth_code_digest, expiresAt: new Date(row.auth_code_expires_at) },
    nameservers: JSON.parse(row.nameservers) as string[],
    glue: JSON.parse(row.glue) as GlueHost[],
    registrant: JSON.parse(row.registrant) as Registrant | null,
    details: row.details === null ? null : (JSON.parse(row.details) as RegistrationDetails),
  };
}
