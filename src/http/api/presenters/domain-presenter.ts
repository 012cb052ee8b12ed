import type { ListedDomain } from '../../../application/ports/registration/domain-repository';
import type { DomainState } from '../../../domain/registration/domain';
import type { LifecycleDates } from '../../../domain/registration/lifecycle';
import type { Registrant } from '../../../domain/registration/registrant';

export function listedDomain(domain: ListedDomain): object {
  return {
    id: domain.id,
    name: domain.name,
    status: domain.status,
    expires_at: domain.expiresAt.toISOString(),
    auto_renew: domain.autoRenew,
    transfer_locked: domain.transferLocked,
    nameservers: domain.nameservers,
    tags: domain.tags,
    created_at: domain.createdAt.toISOString(),
  };
}

export function registeredDomain(domain: DomainState): object {
  return {
    id: domain.id,
    name: domain.name,
    status: domain.status,
    expires_at: domain.expiresAt.toISOString(),
    auto_renew: domain.autoRenew,
    transfer_locked: domain.transferLocked,
    nameservers: domain.nameservers,
    contacts: { registrant: domain.registrant && shortRegistrant(domain.registrant) },
    created_at: domain.createdAt.toISOString(),
  };
}

export function fullDomain(domain: DomainState, dates: LifecycleDates | undefined): object {
  return {
    id: domain.id,
    name: domain.name,
    status: domain.status,
    expires_at: domain.expiresAt.toISOString(),
    auto_renew: domain.autoRenew,
    transfer_locked: domain.transferLocked,
    nameservers: domain.nameservers,
    contacts: { registrant: domain.registrant && fullRegistrant(domain.registrant) },
    tags: domain.tags,
    created_at: domain.createdAt.toISOString(),
    updated_at: domain.updatedAt.toISOString(),
    renewed_by: domain.registrarRenews ? 'registrar' : 'service',
    transfer_out: transferOut(domain),
    lifecycle: lifecycle(dates),
  };
}

/** The pending transfer to another registrar. */
function transferOut({ transferPending, transferRequestedAt, transferEndsAt }: DomainState): object | null {
  if (!transferPending) return null;
  return {
    requested_at: transferRequestedAt?.toISOString() ?? null,
    ends_at: transferEndsAt?.toISOString() ?? null,
  };
}

/** A name under a TLD that is no longer supported has no plan. */
function lifecycle(dates: LifecycleDates | undefined): object {
  return {
    renewable_until: dates?.renewableUntil?.toISOString() ?? null,
    redemption_ends_at: dates?.redemptionEndsAt?.toISOString() ?? null,
    deletes_at: dates?.deletesAt?.toISOString() ?? null,
    transfer_locked_until: dates?.transferLockedUntil?.toISOString() ?? null,
    deletion_due_at: dates?.deletionDueAt?.toISOString() ?? null,
  };
}

/** The members of every response to a change, around the part that changed. */
export function changedDomain(domain: DomainState, part: object): object {
  return { id: domain.id, name: domain.name, ...part, updated_at: domain.updatedAt.toISOString() };
}

export function shortRegistrant({ firstName, lastName, email }: Registrant): object {
  return { first_name: firstName, last_name: lastName, email };
}

function fullRegistrant(registrant: Registrant): object {
  const { firstName, lastName, email, phone, phoneExtension, organization, companyNumber, legalForm, address } =
    registrant;
  return {
    first_name: firstName,
    last_name: lastName,
    email,
    phone,
    phone_extension: phoneExtension,
    organization,
    company_number: companyNumber,
    legal_form: legalForm,
    address: {
      street: address.street,
      street2: address.street2,
      street3: address.street3,
      city: address.city,
      state: address.state,
      postal_code: address.postalCode,
      country: address.country,
    },
  };
}
