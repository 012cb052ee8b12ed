import {
  amountOf,
  type DomainName,
  instantOf,
  nameOf,
  isWithin,
  phoneOf,
  RegistryRejected,
  RegistryUnavailable,
  streetOf,
  toE164,
  type ChargedDomain,
  type DsRecord,
  type Money,
  type Registrant,
  type RegistryDomain,
  type RegistryPhase,
  type RegistryTransfer,
  type RejectionReason,
  type VendorOrder,
} from '../../../adapter';
import {
  NamecomError,
  VENDOR,
  type NamecomContact,
  type NamecomContacts,
  type NamecomDomain,
  type NamecomOrder,
  type NamecomRecord,
  type NamecomDsRecord,
  type NamecomVanityHost,
} from './namecom-client';

export const CURRENCY = 'USD';

/** What a status means if the request itself does not give it another meaning. */
const REASONS: Readonly<Record<number, RejectionReason>> = {
  402: 'credit',
  404: 'not_held',
  409: 'status',
  423: 'status',
};

/** name.com has no error codes, so the status decides. `meanings` are those of this request. */
export function toRegistryError(error: unknown, meanings: Readonly<Record<number, RejectionReason>> = {}): unknown {
  if (!(error instanceof NamecomError)) return error;
  const reason = meanings[error.status] ?? REASONS[error.status] ?? 'policy';
  const text = error.text === '' ? `HTTP ${error.status}` : error.text;
  return new RegistryRejected(reason, `${VENDOR}: ${text}`, { cause: error });
}

export function toMoney(amount: number | null | undefined): Money | undefined {
  return amountOf(amount, CURRENCY);
}

/** A young name is our registration: a name cannot be transferred within 60 days (ICANN Transfer Policy). */
const YOUNG_MS = 60 * 86_400_000;

export function toRegistryDomain(domain: NamecomDomain, now: Date): RegistryDomain {
  const locks = (domain.locks ?? []).map((lock) => lock.toLowerCase());
  const has = (status: string) => locks.includes(status.toLowerCase());
  const createdAt = instantOf(domain.createDate);
  const isVerified = domain.contacts?.registrant?.isVerified;
  return {
    name: nameOf(domain.domainName),
    phase: phaseOf(has),
    sponsoredByUs: true,
    createdByUs: now.getTime() - createdAt.getTime() < YOUNG_MS,
    createdAt,
    expiresAt: expiryOf(domain),
    nameservers: (domain.nameservers ?? []).map((host) => host.toLowerCase()),
    transferLocked: domain.locked,
    transferPending: has('pendingTransfer'),
    registrarRenews: domain.autorenewEnabled,
    ...(isVerified !== undefined && { contactVerification: isVerified ? ('verified' as const) : ('pending' as const) }),
  };
}

function expiryOf({ domainName, expireDate }: NamecomDomain): Date {
  if (expireDate === null) throw new RegistryUnavailable(`name.com tells no expiry of ${domainName}`);
  return instantOf(expireDate);
}

/** From the EPP statuses (RFC 5731 and RFC 3915). */
function phaseOf(has: (status: string) => boolean): RegistryPhase {
  if (has('pendingCreate')) return 'pending_create';
  if (has('pendingRestore')) return 'pending_restore';
  if (has('redemptionPeriod')) return 'redemption';
  return has('pendingDelete') ? 'pending_delete' : 'registered';
}

/** `totalPaid` includes VAT, which the agreed price does not: such an amount is left out. */
export function toChargedDomain(domain: RegistryDomain, totalPaid: number | undefined, agreed?: Money): ChargedDomain {
  const charged = toMoney(totalPaid);
  return charged && (!agreed || isWithin(charged, agreed)) ? { ...domain, charged } : domain;
}

/** What name.com requires of every contact, for countries without states or postal codes. */
const NO_POSTAL_CODE = '00000';

export function toContact(registrant: Registrant): NamecomContact {
  const { firstName, lastName, email, phone, organization, address } = registrant;
  return {
    firstName,
    lastName,
    ...(organization !== undefined && { companyName: organization }),
    address1: address.street,
    ...(address.street2 !== undefined && { address2: address.street2 }),
    city: address.city,
    state: address.state ?? address.city,
    zip: address.postalCode ?? NO_POSTAL_CODE,
    country: address.country,
    email,
    phone: toE164(phone),
  };
}

/** Undefined if name.com lacks a required field. */
export function toRegistrant(contact: NamecomContact | undefined): Registrant | undefined {
  const { firstName, lastName, email, phone, companyName, address1, address2, city, state, zip, country } =
    contact ?? {};
  const number = phoneOf(phone ?? '');
  const last = lastName || firstName;
  if (!last || !email || !number || !address1 || !city || !country) return undefined;
  return {
    firstName: (lastName && firstName) || '',
    lastName: last,
    email,
    ...number,
    ...(companyName && { organization: companyName }),
    address: {
      ...streetOf([address1, address2 ?? '']),
      city,
      ...(state && state !== city && { state }),
      ...(zip && zip !== NO_POSTAL_CODE && { postalCode: zip }),
      country: country.toUpperCase(),
    },
  };
}

const REQUIRED = [
  'firstName',
  'lastName',
  'address1',
  'city',
  'state',
  'zip',
  'country',
  'email',
  'phone',
] as const satisfies readonly (keyof NamecomContact)[];

/** The other contacts stay. name.com accepts complete ones only, so that the registrant replaces incomplete ones. */
export function contactsWith(registrant: NamecomContact, present: NamecomContacts = {}): NamecomContacts {
  const keep = (contact: NamecomContact | undefined): NamecomContact => {
    if (!contact || REQUIRED.some((field) => !contact[field])) return registrant;
    const { fax, companyName, address2 } = contact;
    return {
      ...Object.fromEntries(REQUIRED.map((field) => [field, contact[field]])),
      ...(fax && { fax }),
      ...(companyName && { companyName }),
      ...(address2 && { address2 }),
    };
  };
  return { registrant, admin: keep(present.admin), tech: keep(present.tech), billing: keep(present.billing) };
}

const ORDER_STATUS: Readonly<Record<string, VendorOrder['status']>> = {
  success: 'completed',
  refunded: 'completed',
  failed: 'failed',
  canceled: 'failed',
};

/** The items for `name`. An unknown status counts as open. */
export function toVendorOrders(name: DomainName, orders: readonly NamecomOrder[]): readonly VendorOrder[] {
  return orders.flatMap(({ orderItems = [] }) =>
    orderItems
      .filter((item) => item.name?.toLowerCase() === name.value)
      .map(({ id, status }) => ({ id: String(id), status: ORDER_STATUS[status.toLowerCase()] ?? 'open' })),
  );
}

const TRANSFER_STATUS: Readonly<Record<string, RegistryTransfer['status']>> = {
  completed: 'completed',
  failed: 'rejected',
  rejected: 'rejected',
  canceled: 'cancelled',
  canceled_pending_refund: 'cancelled',
};

/** All other statuses of name.com are pending, `pending_new_auth_code` among them. */
export function transferStatusOf(status: string): RegistryTransfer['status'] {
  return TRANSFER_STATUS[status] ?? 'pending';
}

export function toDsRecord({ keyTag, algorithm, digestType, digest }: NamecomDsRecord): DsRecord {
  return { keyTag, algorithm, digestType, digest: digest.toUpperCase() };
}

export function hasAddresses(host: NamecomVanityHost | undefined, addresses: readonly string[]): boolean {
  return host !== undefined && [...host.ips].toSorted().join() === [...addresses].toSorted().join();
}

/** A zone file (RFC 1035 section 5). Types of name.com's own, such as ANAME, become comments. */
export function toZoneFile(name: DomainName, records: readonly NamecomRecord[]): string {
  const lines = records.map((record) => lineOf(name, record));
  return [`$ORIGIN ${name.value}.`, ...lines, ''].join('\n');
}

function lineOf(name: DomainName, { type, ttl, fqdn, host, answer = '', priority = 0 }: NamecomRecord): string {
  const owner = fqdn ?? (host === undefined || host === null || host === '' || host === '@' ? '@' : host);
  const content = contentOf(type ?? '', answer, priority);
  const line = `${owner} ${ttl} IN ${type ?? ''} ${content ?? answer}`;
  return content === undefined ? `; not a DNS record type, of ${name.value}: ${line.replaceAll(/[\r\n]/g, ' ')}` : line;
}

function contentOf(type: string, answer: string, priority: number): string | undefined {
  switch (type) {
    case 'A':
    case 'AAAA':
      return answer;
    case 'CNAME':
    case 'NS':
      return absolute(answer);
    case 'MX':
      return `${priority} ${absolute(answer)}`;
    case 'SRV': {
      const [weight = '0', port = '0', target = '.'] = answer.split(/\s+/);
      return `${priority} ${weight} ${port} ${absolute(target)}`;
    }
    case 'TXT':
      return characterStrings(answer);
    default:
      return undefined;
  }
}

function absolute(host: string): string {
  return host.endsWith('.') ? host : `${host}.`;
}

/** Quoted strings of at most 255 octets (RFC 1035 section 3.3), escaped as in section 5.1. */
function characterStrings(text: string): string {
  const octets = Buffer.from(text, 'utf8');
  const strings: string[] = [];
  for (let at = 0; at === 0 || at < octets.length; at += 255) strings.push(quoted(octets.subarray(at, at + 255)));
  return strings.join(' ');
}

function quoted(octets: Uint8Array): string {
  const text = [...octets].map((octet) => {
    if (octet === 0x22 || octet === 0x5c) return `\\${String.fromCharCode(octet)}`;
    return octet >= 0x20 && octet < 0x7f ? String.fromCharCode(octet) : `\\${String(octet).padStart(3, '0')}`;
  });
  return `"${text.join('')}"`;
}
