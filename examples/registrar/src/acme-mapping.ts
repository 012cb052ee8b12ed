import {
  DomainName,
  RegistryRejected,
  RegistryUnavailable,
  type ChargedDomain,
  type HoldingPrice,
  type Money,
  type PriceQuote,
  type Registrant,
  type RegistryDomain,
  type RejectionReason,
} from 'namewright/adapter';
import { AcmeRefusal } from './acme-client';

export interface AcmeDomain {
  readonly name: string;
  readonly state: 'LIVE' | 'DELETED';
  readonly mine: boolean;
  readonly created: string;
  readonly expires: string;
  readonly hosts: readonly string[];
  readonly locked: boolean;
}

/** For the years asked for. */
export interface AcmePrice {
  readonly registration: number;
  readonly renewal: number;
  readonly restore: number;
  readonly currency: string;
}

/** By code, never by text: texts change. */
const REASONS: Readonly<Record<string, RejectionReason>> = {
  TAKEN: 'unavailable',
  PRICE: 'price_changed',
  EXPIRY: 'expiry_differs',
  UNKNOWN: 'not_held',
  STATE: 'status',
  POLICY: 'policy',
  CREDIT: 'credit',
};

/** A code that nobody told us about is no proof that nothing happened. */
export function inOurWords(error: unknown): unknown {
  if (!(error instanceof AcmeRefusal)) return error;
  const reason = REASONS[error.code];
  return reason
    ? new RegistryRejected(reason, error.message, { cause: error })
    : new RegistryUnavailable(`Acme refused with ${error.code}`, undefined, { cause: error });
}

export function toRegistryDomain({ name, state, mine, created, expires, hosts, locked }: AcmeDomain): RegistryDomain {
  return {
    name: DomainName.fromState(name),
    phase: state === 'LIVE' ? 'registered' : 'redemption',
    ours: mine,
    createdByUs: mine,
    createdAt: new Date(created),
    expiresAt: new Date(expires),
    nameservers: hosts,
    transferLocked: locked,
    transferPending: false,
  };
}

/** Acme counts in whole units, we in cents. */
const toMoney = (amount: number, currency: string): Money => ({ minor: Math.round(amount * 100), currency });

export function toPriceQuote(price: AcmePrice): PriceQuote {
  return { ...toHoldingPrice(price), registration: toMoney(price.registration, price.currency) };
}

export function toHoldingPrice({ renewal, restore, currency }: AcmePrice): HoldingPrice {
  return { renewal: toMoney(renewal, currency), restore: toMoney(restore, currency) };
}

/** What Acme charged comes with the domain that a command has left. */
export function toChargedDomain(
  answer: AcmeDomain & { readonly charged?: { readonly amount: number; readonly currency: string } },
): ChargedDomain {
  const { charged } = answer;
  return { ...toRegistryDomain(answer), ...(charged && { charged: toMoney(charged.amount, charged.currency) }) };
}

export function toAcmeHolder({ firstName, lastName, email, phone, address }: Registrant): object {
  return {
    person: `${firstName} ${lastName}`,
    email,
    phone,
    street: address.street,
    city: address.city,
    country: address.country,
  };
}
