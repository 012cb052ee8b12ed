import { RegistryRejected, RegistryUnavailable } from '../../../application/ports/registry/registry-errors';
import type { RegistryDomain, RejectionReason } from '../../../application/ports/registry/registry-port';
import type { ListedName, NamePage, SkippedName } from '../../../application/ports/registry/registries';
import { DomainName, isHostName } from '../../../domain/shared/domain-name';
import type { TldPolicy } from '../../../domain/registration/names/tld-policy';
import { instantOf as zonedInstantOf } from '../epp/mapping/data-types';
import { addYears, sameDay } from '../../../domain/shared/time/calendar';
import { toAsciiName } from '../../../domain/shared/idna';

const MAX_YEARS_AHEAD = 10;

/** Stands for a name at another registrar, of which a vendor shows nothing but our own transfer request. */
export function foreignDomain(name: DomainName, transferPending: boolean): RegistryDomain {
  const unknown = new Date(0);
  return {
    name,
    phase: 'registered',
    sponsoredByUs: false,
    createdByUs: false,
    createdAt: unknown,
    expiresAt: unknown,
    nameservers: [],
    transferLocked: false,
    transferPending,
  };
}

/** A registration that a vendor has not completed. One year stands for its expiry. */
export function pendingDomain(name: DomainName, createdAt: Date): RegistryDomain {
  const expiresAt = addYears(createdAt, 1);
  const ours = { sponsoredByUs: true, createdByUs: true, createdAt, expiresAt };
  return { ...foreignDomain(name, false), ...ours, phase: 'pending_create' };
}

/** Returns the expiry. @throws RegistryRejected (`status`, `expiry_differs`, `policy`) */
export function assertRenewable(
  { name, phase, transferPending, expiresAt }: RegistryDomain,
  { currentExpiry, years, now }: { readonly currentExpiry: Date; readonly years: number; readonly now: Date },
): Date {
  if (transferPending || (phase !== 'registered' && phase !== 'auto_renew_grace'))
    throw new RegistryRejected('status', `${name.value} cannot be renewed in its present status`);
  if (!sameDay(expiresAt, currentExpiry))
    throw new RegistryRejected('expiry_differs', `${name.value} expires on another date than currentExpiry`);
  if (addYears(expiresAt, years) > addYears(now, MAX_YEARS_AHEAD))
    throw new RegistryRejected('policy', 'A registration ends at most ten years ahead');
  return expiresAt;
}

/** A page of a vendor's list. An entry with an invalid name, or without a valid expiry, is skipped and reported by name. */
export function listNames(
  entries: readonly { readonly name: string; readonly expiry: string | null | undefined }[],
): Pick<NamePage, 'names' | 'skipped'> {
  const names: ListedName[] = [];
  const skipped: SkippedName[] = [];
  for (const { name, expiry } of entries) {
    try {
      if (!expiry) throw new RegistryUnavailable('the registrar tells no expiry of this name');
      names.push({ name: nameOf(name), expiresAt: instantOf(expiry) });
    } catch (error) {
      if (!(error instanceof RegistryUnavailable)) throw error;
      skipped.push({ name, reason: error.details ?? error.message });
    }
  }
  return { names, ...(skipped.length > 0 && { skipped }) };
}

export function findPolicy(policies: readonly TldPolicy[], { parent }: DomainName): TldPolicy | undefined {
  return policies.find(({ suffix }) => suffix === parent);
}

/** @throws RegistryRejected for `reason` if the name is under another suffix */
export function requirePolicy(policies: readonly TldPolicy[], name: DomainName, reason: RejectionReason): TldPolicy {
  const policy = findPolicy(policies, name);
  if (!policy) throw new RegistryRejected(reason, `.${name.parent} is not a TLD of this registry`);
  return policy;
}

const MAX_WRITTEN_NAME = 1_000;

/**
 * A vendor's name: any letter case, Unicode or A-labels, with or without the final dot. A label that IDNA 2008 does not
 * allow is kept, because the vendor holds it. @throws RegistryUnavailable if it is no domain name
 */
export function nameOf(text: string): DomainName {
  const ascii = text.length <= MAX_WRITTEN_NAME ? toAsciiName(text.trim().replace(/\.$/, '')) : undefined;
  if (ascii === undefined || !isHostName(ascii))
    throw new RegistryUnavailable('the registrar sent an invalid domain name');
  return DomainName.fromState(ascii);
}

const ZONE = /(?:Z|[+-]\d{2}:?\d{2})$/i;

/**
 * A vendor's date. One without a time zone would depend on the machine's: then it is of `timeZone` (IANA, such as
 * `Europe/Amsterdam`), which the vendor documents. @throws RegistryUnavailable if it is invalid, or without any time zone
 */
export function instantOf(text: string, timeZone?: string): Date {
  const hasZone = /[T ]/.test(text.trim()) && ZONE.test(text.trim());
  if (!hasZone && timeZone === undefined)
    throw new RegistryUnavailable('the registrar sent a date without a time zone');
  try {
    return hasZone ? dateOf(text) : zonedInstantOf(text.trim().replace(' ', 'T'), timeZone);
  } catch (cause) {
    throw new RegistryUnavailable('the registrar sent an invalid date', undefined, { cause });
  }
}

/** @throws RangeError for an invalid date */
function dateOf(text: string): Date {
  const instant = new Date(text);
  instant.toISOString();
  return instant;
}
