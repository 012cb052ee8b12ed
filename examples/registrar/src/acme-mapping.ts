import {
  amountOf,
  registrantName,
  instantOf,
  nameOf,
  RegistryRejected,
  RegistryUnavailable,
  streetLines,
  type ChargedDomain,
  type RenewalPrices,
  type Money,
  type PriceQuote,
  type Registrant,
  type RegistryDomain,
  type RejectionReason,
} from 'namewright-adapter';
import { AcmeError } from './acme-client';

export interface AcmeDomain {
  readonly name: string;
  readonly state: 'LIVE' | 'DELETED';
  readonly mine: boolean;
  readonly created: string;
  readonly expires: string;
  readonly hosts: readonly string[];
  readonly locked: boolean;
}

/** Fees for the requested years, in major units. */
export interface AcmePrice {
  readonly registration: number;
  readonly renewal: number;
  readonly restore: number;
  readonly currency: string;
}

/** Map by code, never by text: texts change. */
const REASONS: Readonly<Record<string, RejectionReason>> = {
  TAKEN: 'unavailable',
  PRICE: 'price_changed',
  EXPIRY: 'expiry_differs',
  UNKNOWN: 'not_held',
  STATE: 'status',
  POLICY: 'policy',
  CREDIT: 'credit',
};

/** An unknown code does not prove that nothing changed, so the outcome is unknown. */
export function toRegistryError(error: unknown): unknown {
  if (!(error instanceof AcmeError)) return error;
  const reason = REASONS[error.code];
  return reason
    ? new RegistryRejected(reason, error.message, { cause: error })
    : new RegistryUnavailable(`Acme returned the unknown code ${error.code}`, undefined, { cause: error });
}

export function toRegistryDomain({ name, state, mine, created, expires, hosts, locked }: AcmeDomain): RegistryDomain {
  return {
    name: nameOf(name),
    phase: state === 'LIVE' ? 'registered' : 'redemption',
    sponsoredByUs: mine,
    createdByUs: mine,
    createdAt: instantOf(created),
    expiresAt: instantOf(expires),
    nameservers: hosts,
    transferLocked: locked,
    transferPending: false,
  };
}

/** Acme uses major units, the port minor units. @throws RegistryUnavailable if it is no amount */
function toMoney(amount: number, currency: string): Money {
  const money = amountOf(amount, currency);
  if (!money) throw new RegistryUnavailable('Acme sent an invalid amount');
  return money;
}

export function toPriceQuote(price: AcmePrice): PriceQuote {
  return { ...toRenewalPrices(price), registration: toMoney(price.registration, price.currency) };
}

export function toRenewalPrices({ renewal, restore, currency }: AcmePrice): Required<RenewalPrices> {
  return { renewal: toMoney(renewal, currency), restore: toMoney(restore, currency) };
}

export function toChargedDomain(
  domain: AcmeDomain & { readonly charged?: { readonly amount: number; readonly currency: string } },
): ChargedDomain {
  const { charged } = domain;
  return { ...toRegistryDomain(domain), ...(charged && { charged: toMoney(charged.amount, charged.currency) }) };
}

export function toAcmeHolder(registrant: Registrant): object {
  const { organization, email, phone, address } = registrant;
  return {
    person: registrantName(registrant),
    organization,
    email,
    phone,
    street: streetLines(address),
    city: address.city,
    state: address.state,
    postalCode: address.postalCode,
    country: address.country,
  };
}
