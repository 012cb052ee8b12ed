import type { ListedName } from '../../../../application/ports/registry/registries';
import type {
  Availability,
  RegistryDomain,
  RegistryMessage,
  RenewalPrices,
} from '../../../../application/ports/registry/registry-port';
import type { LedgerEntry } from '../../../../application/ports/registry/registry-sandbox';
import type { RegistryTransfer } from '../../../../application/ports/registry/registry-transfers';
import { DomainName } from '../../../../domain/shared/domain-name';
import { RegistrationTerm } from '../../../../domain/registration/registration-term';
import type { Money } from '../../../../domain/shared/money';
import { listedFee } from '../../price-list';
import { detailsOf, type Charge, type NoticeKind, type Registration, type TransferRecord } from './registration';
import type { QueuedNotice } from './store/registry-store';
import { PRICE_LIST_CURRENCY, pricesOf, type TldOffer } from './offers/tld-offer';

/** Kinds that the port does not have are `changed`. */
const KINDS: Readonly<Record<NoticeKind, RegistryMessage['kind']>> = {
  changed: 'changed',
  transfer_requested: 'changed',
  transfer_ended: 'changed',
  transferred_in: 'changed',
  transferred_out: 'transferred_out',
  deleted: 'deleted',
};

const TRANSFER_STATES: Readonly<Record<TransferRecord['state'], RegistryTransfer['status']>> = {
  pending: 'pending',
  clientApproved: 'completed',
  serverApproved: 'completed',
  clientRejected: 'rejected',
  clientCancelled: 'cancelled',
};

/** The registration as `registrar` sees it. */
export function toRegistryDomain(held: Registration, { renewalYears }: TldOffer, registrar: string): RegistryDomain {
  const addedYears = renewalYears.min;
  return {
    name: DomainName.fromState(held.name),
    phase: held.phase,
    sponsoredByUs: held.sponsor === registrar,
    createdByUs: held.creator === registrar,
    createdAt: held.createdAt,
    expiresAt: held.expiresAt,
    ...(addedYears > 1 && { addedYears }),
    nameservers: held.nameservers,
    transferLocked: held.transferLocked,
    transferPending: held.transfer !== null,
    ...(held.phaseEndsAt && { phaseEndsAt: held.phaseEndsAt }),
  };
}

export function toListedName({ name, expiresAt }: Registration): ListedName {
  return { name: DomainName.fromState(name), expiresAt };
}

/** The latest transfer to or from `registrar`, if any. */
export function toTransfer(held: Registration, registrar: string): RegistryTransfer | undefined {
  const record = detailsOf(held).transfer;
  if (!record || ![record.gaining, record.losing].includes(registrar)) return undefined;
  const direction = record.gaining === registrar ? 'in' : 'out';
  const status = TRANSFER_STATES[record.state];
  return {
    name: DomainName.fromState(held.name),
    direction,
    status,
    requestedAt: new Date(record.requestedAt),
    ...(status === 'pending' && { endsAt: new Date(record.actionAt) }),
    ...(status === 'completed' && direction === 'in' && { charged: money(record.fee) }),
  };
}

export function toMessage({ id, at, kind, name, text }: QueuedNotice): RegistryMessage {
  return { id, at, kind: KINDS[kind], name: DomainName.fromState(name), text };
}

export function toLedgerEntry({ at, kind, name, years, amount, transactionId }: Charge): LedgerEntry {
  return { at, kind, name: DomainName.fromState(name), years, amount: money(amount), transactionId };
}

/** Without an offer, the name is not available. */
export function toAvailability(
  name: DomainName,
  offered: TldOffer | undefined,
  term: RegistrationTerm | undefined,
): Availability {
  if (!offered) return { name, available: false };
  const registration = listedFee(pricesOf(offered, name), 'registration', term?.years ?? offered.years.min);
  return { name, available: true, price: { ...renewalPrices(offered, name), registration } };
}

export function renewalPrices(
  offered: TldOffer,
  name: DomainName,
  term = RegistrationTerm.shortest(offered.renewalYears),
): RenewalPrices {
  const list = pricesOf(offered, name);
  return { renewal: listedFee(list, 'renewal', term.years), ...(list.restore && { restore: list.restore }) };
}

/** In minor units. An amount in another currency never equals a price. */
export function minorUnits({ minor, currency }: Money): number {
  return currency === PRICE_LIST_CURRENCY ? minor : NaN;
}

function money(minor: number): Money {
  return { minor, currency: PRICE_LIST_CURRENCY };
}
