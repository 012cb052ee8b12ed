import { createHash, randomBytes } from 'node:crypto';
import {
  addDays,
  addYears,
  dsRecordOf,
  type DomainName,
  registrantName,
  instantOf,
  nameOf,
  phoneOf,
  RegistryInconclusive,
  RegistryRejected,
  responseReader,
  streetLines,
  streetOf,
  type DsRecord,
  type LifecyclePeriods,
  type Money,
  type Registrant,
  type RegistryDomain,
  type RegistryMessage,
  type RegistryPhase,
  type RegistryTransfer,
  type RejectionReason,
  type TldPolicy,
  type VendorOrder,
} from '../../../adapter';
import { isMissing, RealtimeRegisterError } from './realtimeregister-client';
import type {
  RtrAction,
  RtrContactData,
  RtrDsRecord,
  RtrDomain,
  RtrKey,
  RtrNotification,
  RtrPrice,
  RtrProcess,
  RtrQuote,
  RtrTransfer,
} from './realtimeregister-responses';

const VENDOR = 'Realtime Register';
export const LOCK = 'CLIENT_TRANSFER_PROHIBITED';

/** By the vendor's error type. All others are violations of its rules. */
const REASONS: Readonly<Record<string, RejectionReason>> = {
  InsufficientCreditException: 'credit',
  ObjectExists: 'unavailable',
  ObjectStatusProhibitsOperation: 'status',
  AuthCodeInvalidError: 'auth_code',
  BillableAcknowledgmentNeededException: 'price_changed',
};
const REASONS_BY_STATUS: Readonly<Record<number, RejectionReason>> = { 402: 'credit', 409: 'unavailable' };

export function toRejection(error: unknown): unknown {
  if (!(error instanceof RealtimeRegisterError)) return error;
  const reason = isMissing(error) ? 'not_held' : (REASONS[error.type] ?? REASONS_BY_STATUS[error.status] ?? 'policy');
  return new RegistryRejected(reason, error.message, { cause: error });
}

/** Periods are months. */
export const months = (years: number): number => years * 12;

/** @throws RegistryInconclusive for a customer that is charged in another currency */
export function totalOf({ currency: charged, total }: RtrQuote, currency: string): Money {
  if (charged && charged !== currency)
    throw new RegistryInconclusive(`${VENDOR} charges in ${charged}: set CURRENCY=${charged}`);
  return { minor: total, currency };
}

/** Acknowledges the charge of a quote. */
export function acknowledged({ billables }: RtrQuote): RtrAction {
  if (billables.length === 0) return {};
  return { billables: billables.map(({ product, action, quantity = 1 }) => ({ product, action, quantity })) };
}

/** The listed fee of `years` years; undefined for a TLD that the price list lacks. Products are `domain_com`. */
export function listedPrice(
  prices: readonly RtrPrice[],
  { suffix, years: { min } }: TldPolicy,
  { action, years, currency }: { readonly action: string; readonly years: number; readonly currency: string },
): Money | undefined {
  const found = prices.find(
    (price) =>
      price.action === action &&
      price.currency === currency &&
      price.product.startsWith('domain_') &&
      price.product.endsWith(`_${suffix}`),
  );
  return found && { minor: Math.round((found.price * years) / min), currency };
}

const PHASES: readonly (readonly [status: string, phase: RegistryPhase])[] = [
  ['PENDING_RESTORE', 'pending_restore'],
  ['REDEMPTION_PERIOD', 'redemption'],
  ['PENDING_DELETE', 'pending_delete'],
  ['AUTO_RENEW_PERIOD', 'auto_renew_grace'],
];

export function toRegistryDomain(
  domain: RtrDomain,
  { periods }: { readonly periods: LifecyclePeriods },
): RegistryDomain {
  const { status, ns } = domain;
  const phase = PHASES.find(([name]) => status.includes(name))?.[1] ?? 'registered';
  const phaseEndsAt = phaseEndOf(phase, domain, periods);
  return {
    name: nameOf(domain.domainName),
    phase,
    sponsoredByUs: true,
    createdByUs: !status.includes('TRANSFER_PERIOD'),
    createdAt: instantOf(domain.createdDate),
    expiresAt: instantOf(domain.expiryDate),
    nameservers: ns.map((host) => host.toLowerCase().replace(/\.$/, '')),
    transferLocked: status.some((name) => name.endsWith('_TRANSFER_PROHIBITED')),
    transferPending: status.includes('PENDING_TRANSFER'),
    registrarRenews: domain.autoRenew,
    ...(status.includes('PENDING_VALIDATION') && { contactVerification: 'pending' as const }),
    ...(phaseEndsAt && { phaseEndsAt, phaseEndIsEstimate: true }),
  };
}

/** Realtime Register tells no end: the last change of the name began its phase. */
function phaseEndOf(phase: RegistryPhase, domain: RtrDomain, periods: LifecyclePeriods): Date | undefined {
  const changedAt = instantOf(domain.updatedDate ?? domain.createdDate);
  if (phase === 'redemption') return addDays(changedAt, periods.redemption);
  if (phase === 'pending_delete') return addDays(changedAt, periods.pendingDelete);
  return phase === 'auto_renew_grace'
    ? addDays(addYears(instantOf(domain.expiryDate), -1), periods.autoRenewGrace)
    : undefined;
}

/** Contacts need a postal code. */
const NO_POSTAL_CODE = '00000';

export function toContact(registrant: Registrant): RtrContactData {
  const { email, phone, organization, address } = registrant;
  return {
    name: registrantName(registrant),
    ...(organization !== undefined && { organization }),
    addressLine: streetLines(address),
    postalCode: address.postalCode ?? NO_POSTAL_CODE,
    city: address.city,
    ...(address.state !== undefined && { state: address.state }),
    country: address.country,
    email,
    voice: phone,
  };
}

/** The same for the same data, so that a repetition creates no second contact. */
export function handleOf(contact: RtrContactData): string {
  return `nw-${createHash('sha256').update(JSON.stringify(contact)).digest('hex').slice(0, 32)}`;
}

/** A contact has one name: its first word is the first name, unless it is the only one. */
export function toRegistrant(contact: RtrContactData): Registrant {
  const [first = '', ...rest] = contact.name.trim().split(/\s+/);
  const { organization, state, postalCode } = contact;
  return {
    firstName: rest.length > 0 ? first : '',
    lastName: rest.join(' ') || first,
    email: contact.email,
    ...(phoneOf(contact.voice) ?? { phone: contact.voice }),
    ...(organization && { organization }),
    address: {
      ...streetOf(contact.addressLine),
      city: contact.city,
      ...(state && { state }),
      ...(postalCode && postalCode !== NO_POSTAL_CODE && { postalCode }),
      country: contact.country,
    },
  };
}

/** Whether a process has ended. An unknown status is not a decision. */
export function toOrder({ id, status }: RtrProcess): VendorOrder {
  const isFailed = status === 'FAILED' || status === 'CANCELLED' || status === 'INVALID';
  return { id: String(id), status: status === 'COMPLETED' ? 'completed' : isFailed ? 'failed' : 'open' };
}

const TRANSFER_STATUSES: Readonly<Record<string, RegistryTransfer['status']>> = {
  completed: 'completed',
  cancelled: 'cancelled',
  rejected: 'rejected',
  failed: 'rejected',
};

export function toTransfer(
  name: DomainName,
  { type, status, requestedDate, actionDate }: RtrTransfer,
): RegistryTransfer {
  const reached = TRANSFER_STATUSES[status.toLowerCase()] ?? 'pending';
  return {
    name,
    direction: type === 'IN' ? 'in' : 'out',
    status: reached,
    requestedAt: instantOf(requestedDate),
    ...(reached === 'pending' && actionDate && { endsAt: instantOf(actionDate) }),
  };
}

export function toDsRecords({ domainName, dsData, keyData }: RtrDomain): readonly DsRecord[] {
  return [
    ...dsData.map(({ keyTag, algorithm, digestType, digest }) => ({
      keyTag,
      algorithm,
      digestType,
      digest: digest.toUpperCase(),
    })),
    ...keyData.map(({ flags, algorithm, publicKey }) =>
      dsRecordOf(domainName.toLowerCase(), { flags, algorithm, publicKey: publicKey.replace(/\s/g, '') }),
    ),
  ];
}

/** Keys if all are known, each once: every registry takes them from Realtime Register. A domain has keys or DS records. */
export function toDnssec(
  dsRecords: readonly DsRecord[],
  present: RtrDomain,
): { readonly keyData: readonly RtrKey[] } | { readonly dsData: readonly RtrDsRecord[] } {
  const keys = dsRecords.flatMap(({ key }) => (key ? [key] : []));
  if (dsRecords.length === 0) return present.dsData.length > 0 ? { dsData: [] } : { keyData: [] };
  if (keys.length === dsRecords.length) {
    const data = keys.map(({ flags, algorithm, publicKey }) => ({ protocol: 3, flags, algorithm, publicKey }));
    return { keyData: [...new Map(data.map((key) => [JSON.stringify(key), key])).values()] };
  }
  return {
    dsData: dsRecords.map(({ keyTag, algorithm, digestType, digest }) => ({ keyTag, algorithm, digestType, digest })),
  };
}

/** Has a letter of each case, a digit and a symbol, as registries ask for. */
export function newAuthCode(): string {
  return `${randomBytes(12).toString('base64url')}-aZ7!`;
}

const readNotification = responseReader<RtrNotification>(VENDOR, {
  type: 'object',
  required: ['id', 'fireDate'],
  properties: {
    id: { type: 'integer' },
    fireDate: { type: 'string' },
    message: { type: ['string', 'null'] },
    domainName: { type: ['string', 'null'] },
    processType: { type: ['string', 'null'] },
    processIdentifier: { type: ['string', 'null'] },
    subjectStatus: { type: ['string', 'null'] },
    transferType: { type: ['string', 'null'] },
  },
});
const readId = responseReader<{ readonly id: string }>(VENDOR, {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', minLength: 1 } },
});

/** A notification that has an id but cannot be read is `unreadable`. @throws RegistryUnavailable without an id */
export function toMessage(notification: unknown, now: Date): RegistryMessage {
  const received = JSON.stringify(notification);
  const { id } = readId(JSON.parse(received));
  try {
    return toReadableMessage(readNotification(notification));
  } catch {
    return { id, at: now, kind: 'other', text: '', unreadable: received };
  }
}

function toReadableMessage(notification: RtrNotification): RegistryMessage {
  const { id, fireDate, message, domainName, processType, processIdentifier, subjectStatus, transferType } =
    notification;
  const name = domainName ?? (processType === 'domain' ? processIdentifier : undefined);
  const isTransferredOut = transferType === 'OUT' && subjectStatus === 'COMPLETED';
  return {
    id: String(id),
    at: instantOf(fireDate),
    kind: isTransferredOut ? 'transferred_out' : name ? 'changed' : 'other',
    ...(name && { name: nameOf(name) }),
    text: message ?? '',
  };
}
