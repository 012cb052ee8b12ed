import {
  addDays,
  amountOf,
  dsRecordOf,
  type DomainName,
  instantOf,
  nameOf,
  listNames,
  pendingDomain,
  phoneOf,
  RegistryRejected,
  RegistryUnavailable,
  streetOf,
  toE164,
  type DsRecord,
  type LifecyclePeriods,
  type NamePage,
  type Money,
  type PriceQuote,
  type Registrant,
  type RegistryDomain,
  type RegistryTransfer,
  type RejectionReason,
} from '../../../adapter';
import { DnsimpleError } from './dnsimple-client';
import type {
  DnsimpleContact,
  DnsimpleContactData,
  DnsimpleDelegationSigner,
  DnsimpleDelegationSignerData,
  DnsimpleDomain,
  DnsimpleOrder,
  DnsimplePrices,
} from './dnsimple-responses';

export const CURRENCY = 'USD';

/** Rejections by status. DNSimple has no codes: a 400 means what the request makes of it. */
const REASONS: Readonly<Record<number, RejectionReason>> = { 402: 'credit', 404: 'not_held', 428: 'status' };

export function toRejection(error: unknown, badRequest: RejectionReason = 'policy'): unknown {
  if (!(error instanceof DnsimpleError)) return error;
  const reason = error.status === 400 ? badRequest : (REASONS[error.status] ?? 'policy');
  return new RegistryRejected(reason, error.message, { cause: error });
}

/** Fees of `years` years. DNSimple tells those of one year. */
export function toQuote(prices: DnsimplePrices, years = 1): PriceQuote & { readonly restore: Money } {
  const { registration_price: registration, renewal_price: renewal, restore_price: restore } = prices;
  return {
    registration: toMoney(registration),
    renewal: toMoney(renewal * years),
    restore: toMoney(restore ?? renewal),
  };
}

/** A transfer adds a year, so it costs a renewal if DNSimple tells no other price. */
export function toTransferPrice({ transfer_price: transfer, renewal_price: renewal }: DnsimplePrices): Money {
  return toMoney(transfer ?? renewal);
}

function toMoney(dollars: number): Money {
  const money = amountOf(dollars, CURRENCY);
  if (!money) throw new RegistryUnavailable(`DNSimple sent an invalid amount`);
  return money;
}

/** As `premium_price`: `109.00`. */
export function premiumPrice(prices: DnsimplePrices, price: Money): { readonly premium_price?: string } {
  return prices.premium ? { premium_price: (price.minor / 100).toFixed(2) } : {};
}

/** DNSimple requires a state, a postal code and, for an organization, a job title. The city stands for the state. */
const NO_POSTAL_CODE = '00000';
const JOB_TITLE = 'Domain Administrator';

export function toContact(registrant: Registrant): DnsimpleContactData {
  const { firstName, lastName, email, phone, organization, address } = registrant;
  return {
    first_name: firstName,
    last_name: lastName,
    email,
    phone: toE164(phone),
    address1: address.street,
    ...(address.street2 !== undefined && { address2: address.street2 }),
    city: address.city,
    state_province: address.state ?? address.city,
    postal_code: address.postalCode ?? NO_POSTAL_CODE,
    country: address.country,
    ...(organization !== undefined && { organization_name: organization, job_title: JOB_TITLE }),
  };
}

export function toRegistrant(contact: DnsimpleContact): Registrant | undefined {
  const phone = phoneOf(contact.phone);
  if (phone === undefined) return undefined;
  const { state_province: state, postal_code: postalCode, organization_name: organization, address2 } = contact;
  return {
    firstName: contact.first_name,
    lastName: contact.last_name,
    email: contact.email,
    ...phone,
    ...(organization && { organization }),
    address: {
      ...streetOf([contact.address1, address2 ?? '']),
      city: contact.city,
      ...(state && state !== contact.city && { state }),
      ...(postalCode && postalCode !== NO_POSTAL_CODE && { postalCode }),
      country: contact.country,
    },
  };
}

/** Whether the contact has the data of `wanted`. DNSimple may format the phone number. */
export function isSameContact(contact: DnsimpleContact, wanted: DnsimpleContactData): boolean {
  const fields = Object.keys({ ...wanted, address2: '', organization_name: '' }) as (keyof DnsimpleContactData)[];
  return fields
    .filter((field) => field !== 'job_title')
    .every((field) => normalized(field, contact[field]) === normalized(field, wanted[field]));
}

function normalized(field: string, value: string | null | undefined): string {
  const text = value ?? '';
  return field === 'phone' ? text.replace(/\D/g, '') : text;
}

/** A registered or expired name. After the renewal grace period, DNSimple restores a name instead of renewing it. */
export function toRegistryDomain(
  domain: DnsimpleDomain,
  nameservers: readonly string[],
  transferLocked: boolean,
  { periods, now }: { readonly periods: LifecyclePeriods; readonly now: Date },
): RegistryDomain {
  const expiresAt = expiryOf(domain);
  const renewableUntil = addDays(expiresAt, periods.renewalGrace);
  const isInRedemption = domain.state === 'expired' && now >= renewableUntil;
  return {
    name: nameOf(domain.name),
    phase: isInRedemption ? 'redemption' : 'registered',
    sponsoredByUs: true,
    createdByUs: true,
    createdAt: instantOf(domain.created_at),
    expiresAt,
    nameservers: nameservers.map((host) => host.toLowerCase().replace(/\.$/, '')),
    transferLocked,
    transferPending: false,
    registrarRenews: domain.auto_renew,
    ...(isInRedemption && { phaseEndsAt: addDays(renewableUntil, periods.redemption), phaseEndIsEstimate: true }),
  };
}

/** A registration that DNSimple has not completed. */
export function toPendingDomain(domain: DnsimpleDomain): RegistryDomain {
  const name = nameOf(domain.name);
  return { ...pendingDomain(name, instantOf(domain.created_at)), registrarRenews: domain.auto_renew };
}

/** The names that are registered at DNSimple; it lists names whose zone it serves as well. */
export function toListedNames(domains: readonly DnsimpleDomain[]): Pick<NamePage, 'names' | 'skipped'> {
  const registered = domains.filter(({ state }) => state !== 'hosted');
  return listNames(registered.map(({ name, expires_at: expiry }) => ({ name, expiry })));
}

function expiryOf({ name, expires_at: expiresAt }: DnsimpleDomain): Date {
  if (!expiresAt) throw new RegistryUnavailable(`DNSimple tells no expiry of ${name}`);
  return instantOf(expiresAt);
}

/** The state of a registration, renewal, restore or transfer. An unknown state is not a decision. */
export function stateOf({ state }: DnsimpleOrder): 'open' | 'completed' | 'failed' | 'cancelled' {
  if (/^(registered|renewed|restored|transferred|completed)$/.test(state)) return 'completed';
  return state === 'failed' || state === 'cancelled' ? state : 'open';
}

const TRANSFER_STATUSES = {
  open: 'pending',
  completed: 'completed',
  failed: 'rejected',
  cancelled: 'cancelled',
} as const satisfies Record<string, RegistryTransfer['status']>;

export function toTransfer(name: DomainName, order: DnsimpleOrder): RegistryTransfer {
  return {
    name,
    direction: 'in',
    status: TRANSFER_STATUSES[stateOf(order)],
    requestedAt: instantOf(order.created_at),
  };
}

/** DNSimple takes keys without flags: those of a key signing key. */
const KEY_SIGNING_KEY = 257;

export function toDsRecord(name: DomainName, record: DnsimpleDelegationSigner): DsRecord {
  const algorithm = Number(record.algorithm);
  if (record.digest && record.keytag && record.digest_type)
    return {
      keyTag: Number(record.keytag),
      algorithm,
      digestType: Number(record.digest_type),
      digest: record.digest.toUpperCase(),
    };
  if (!record.public_key) throw new RegistryUnavailable(`DNSimple sent a DS record without digest and key`);
  const publicKey = record.public_key.replace(/\s/g, '');
  return dsRecordOf(name.value, { flags: KEY_SIGNING_KEY, algorithm, publicKey });
}

/** @throws RegistryRejected (`policy`) if the registry takes keys and the dsRecord has none */
export function toDnsimpleDsRecord(dsRecord: DsRecord, takesKeys: boolean): DnsimpleDelegationSignerData {
  const { keyTag, algorithm, digestType, digest, key } = dsRecord;
  if (!takesKeys)
    return { algorithm: String(algorithm), digest, digest_type: String(digestType), keytag: String(keyTag) };
  if (!key) throw new RegistryRejected('policy', 'The registry takes the DNSKEY record, not a DS record');
  return { algorithm: String(key.algorithm), public_key: key.publicKey };
}

/** Whether a record at DNSimple is what `wanted` would create. */
export function wouldCreate(record: DnsimpleDelegationSignerData, wanted: DnsimpleDelegationSignerData): boolean {
  const textOf = ({ algorithm, digest, digest_type: type, keytag, public_key: key }: DnsimpleDelegationSignerData) =>
    wanted.public_key
      ? [algorithm, key?.replace(/\s/g, '')].join(' ')
      : [algorithm, digest?.toUpperCase(), type, keytag].join(' ');
  return textOf(record) === textOf(wanted);
}
