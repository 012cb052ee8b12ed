import { RegistryRejected } from '../../../../application/ports/registry/registry-errors';
import type { GlueHost } from '../../../../application/ports/registry/registry-port';
import type { DsRecord } from '../../../../domain/dns/delegation/ds-record';
import type { YearRange } from '../../../../domain/registration/names/tld-policy';
import type { Registrant } from '../../../../domain/registration/registrant';
import { addDays, addYears, sameDay } from '../../../../domain/shared/time/calendar';
import { MAX_YEARS_AHEAD } from './registration-lifecycle';
import {
  detailsOf,
  type Charge,
  type Outcome,
  type Registration,
  type RegistrationDetails,
  type StoredAuthCode,
} from './registration';
import type { Prices, TldOffer } from './offers/tld-offer';

/** Sender, time and transaction id of a command. */
export interface Command {
  readonly registrar: string;
  readonly transactionId: string;
  readonly now: Date;
}

export interface NewRegistration {
  readonly name: string;
  readonly years: number;
  readonly registrant: Registrant | null;
  readonly nameservers: readonly string[];
  readonly authCode?: StoredAuthCode;
  readonly glue?: readonly GlueHost[];
  /** True if absent. */
  readonly transferLocked?: boolean;
  readonly details?: RegistrationDetails;
}

const DYING: readonly Registration['phase'][] = ['redemption', 'pending_delete'];

/** Commands on registrations as pure functions: each returns an outcome or throws RegistryRejected. */
export function create(
  wanted: NewRegistration,
  offered: TldOffer,
  prices: Prices,
  { registrar, transactionId, now }: Command,
): Outcome {
  const { name, years, registrant, nameservers, authCode, glue = [], transferLocked = true, details = null } = wanted;
  assertYears(years, offered.years, offered);
  assertNameservers(nameservers, offered);
  const amount = prices.registration(years);
  return {
    registration: {
      name,
      sponsor: registrar,
      creator: registrar,
      createdAt: now,
      expiresAt: addYears(now, years),
      phase: 'registered',
      phaseEndsAt: null,
      autoRenewedFrom: null,
      addGraceEndsAt: addDays(now, offered.periods.addGrace),
      refundable: amount,
      transferLocked,
      transfer: null,
      authCode: authCode ?? null,
      nameservers,
      glue,
      registrant,
      details,
    },
    charges: [{ registrar, at: now, kind: 'register', name, years, amount, transactionId }],
    notices: [],
  };
}

export function renew(
  held: Registration,
  term: { years: number; currentExpiry: Date },
  offered: TldOffer,
  prices: Prices,
  command: Command,
): Outcome {
  const { registrar, transactionId, now } = command;
  const { years, currentExpiry } = term;
  assertAlive(held);
  assertNoTransfer(held);
  if (!sameDay(held.expiresAt, currentExpiry))
    throw new RegistryRejected('expiry_differs', `${held.name} expires on another date than currentExpiry`);
  assertYears(years, offered.renewalYears, offered);
  const expiresAt = addYears(held.expiresAt, years);
  if (expiresAt > addYears(now, MAX_YEARS_AHEAD))
    throw new RegistryRejected('policy', `A registration must not end more than ${MAX_YEARS_AHEAD} years ahead`);
  const amount = prices.renewal(years);
  return {
    registration: {
      ...held,
      expiresAt,
      phase: 'registered',
      phaseEndsAt: null,
      autoRenewedFrom: null,
      refundable: inAddGrace(held, now) ? held.refundable + amount : 0,
    },
    charges: [{ registrar, at: now, kind: 'renew', name: held.name, years, amount, transactionId }],
    notices: [],
  };
}

/** Deletes at once in the add grace period; otherwise starts redemption and refunds an automatic renewal. */
export function remove(held: Registration, { periods }: TldOffer, { registrar, transactionId, now }: Command): Outcome {
  assertAlive(held);
  assertNoTransfer(held);
  const { name, refundable, autoRenewedFrom, expiresAt } = held;
  const inGrace = inAddGrace(held, now);
  const refund: Charge[] =
    (inGrace || autoRenewedFrom) && refundable > 0
      ? [{ registrar, at: now, kind: 'refund', name, years: 0, amount: -refundable, transactionId }]
      : [];
  if (inGrace) return { registration: undefined, charges: refund, notices: [] };
  return {
    registration: {
      ...held,
      expiresAt: autoRenewedFrom ?? expiresAt,
      phase: 'redemption',
      phaseEndsAt: addDays(now, periods.redemption),
      autoRenewedFrom: null,
      addGraceEndsAt: null,
      refundable: 0,
      authCode: null,
    },
    charges: refund,
    notices: [],
  };
}

/**
 * The restore fee, plus a renewal for the shortest term if the former expiry has passed.
 * @throws RegistryRejected (`policy`) if a restore has no price
 */
export function restorePrice(
  { name, expiresAt }: Registration,
  { renewalYears }: TldOffer,
  prices: Prices,
  now: Date,
): number {
  if (prices.restore === undefined) throw new RegistryRejected('policy', `A restore of ${name} has no price`);
  return prices.restore + (expiresAt <= now ? prices.renewal(renewalYears.min) : 0);
}

export function restore(
  held: Registration,
  offered: TldOffer,
  prices: Prices,
  { registrar, transactionId, now }: Command,
): Outcome {
  const years = offered.renewalYears.min;
  if (held.phase !== 'redemption') throw new RegistryRejected('status', `${held.name} is not in its redemption period`);
  const { name, expiresAt } = held;
  const expired = expiresAt <= now;
  const line = { registrar, at: now, name, transactionId };
  const fee = expired ? prices.renewal(years) : 0;
  const renewal: Charge[] = expired ? [{ ...line, kind: 'renew', years, amount: fee }] : [];
  const restoreFee = restorePrice(held, offered, prices, now) - fee;
  return {
    registration: {
      ...held,
      expiresAt: expired ? addYears(expiresAt, years) : expiresAt,
      phase: 'registered',
      phaseEndsAt: null,
    },
    charges: [{ ...line, kind: 'restore', years: 0, amount: restoreFee }, ...renewal],
    notices: [],
  };
}

export function delegate(
  held: Registration,
  nameservers: readonly string[],
  glue: readonly GlueHost[],
  offered: TldOffer,
): Outcome {
  assertAlive(held);
  assertNameservers(nameservers, offered);
  for (const { host } of glue) {
    if (!host.endsWith(`.${held.name}`))
      throw new RegistryRejected(
        'policy',
        `${host} is not under ${held.name}, so this registry publishes no addresses of it`,
      );
  }
  return change(held, { nameservers, glue });
}

/** Changes the addresses of existing hosts under the name; the others stay. */
export function replaceGlue(held: Registration, glue: readonly GlueHost[], offered: TldOffer): Outcome {
  const replaced = glue.filter(({ host }) => held.glue.some((present) => present.host === host));
  const kept = held.glue.filter(({ host }) => !replaced.some((each) => each.host === host));
  return delegate(held, held.nameservers, [...kept, ...replaced], offered);
}

export function replaceRegistrant(held: Registration, registrant: Registrant): Outcome {
  assertAlive(held);
  return change(held, { registrant });
}

/** A pending transfer and a lock exclude each other (RFC 5731 section 2.3). */
export function lockTransfers(held: Registration, transferLocked: boolean): Outcome {
  assertAlive(held);
  if (transferLocked) assertNoTransfer(held);
  return change(held, { transferLocked });
}

export function setAuthCode(held: Registration, authCode: StoredAuthCode | null): Outcome {
  if (authCode) assertAlive(held);
  return change(held, { authCode });
}

export function setDsRecords(held: Registration, ds: readonly DsRecord[]): Outcome {
  assertAlive(held);
  return change(held, { details: { ...detailsOf(held), ds } });
}

function change(held: Registration, part: Partial<Registration>): Outcome {
  return { registration: { ...held, ...part }, charges: [], notices: [] };
}

function inAddGrace({ addGraceEndsAt }: Registration, now: Date): boolean {
  return addGraceEndsAt !== null && now < addGraceEndsAt;
}

export function assertAlive({ name, phase }: Registration): void {
  if (DYING.includes(phase))
    throw new RegistryRejected('status', `${name} is in ${phase === 'redemption' ? 'redemption' : 'pending delete'}`);
}

export function assertNoTransfer({ name, transfer }: Registration): void {
  if (transfer) throw new RegistryRejected('status', `A transfer of ${name} is pending`);
}

function assertYears(years: number, { min, max }: YearRange, { suffix }: TldOffer): void {
  if (years < min || years > max)
    throw new RegistryRejected('policy', `.${suffix} sells ${min === max ? min : `${min} to ${max}`} years at a time`);
}

function assertNameservers({ length }: readonly string[], { suffix, nameservers: { min, max } }: TldOffer): void {
  if (length < min || length > max)
    throw new RegistryRejected('policy', `.${suffix} requires ${min} to ${max} nameservers`);
}
