import { addDays, addYears } from '../../../../domain/shared/calendar';
import type { Charge, Notice, Outcome, Registration, SimulatedPhase } from './registration';

/** What the life cycle asks of the price list. */
export interface Terms {
  readonly periods: { readonly autoRenewGrace: number; readonly pendingDelete: number };
  /** The registry renews by itself for the shortest of these terms. */
  readonly renewalYears: { readonly min: number };
  /** What a renewal costs, in minor units, by its years. */
  readonly renewal: (years: number) => number;
}

interface DueEvent {
  readonly at: Date;
  readonly happen: (registration: Registration, at: Date, terms: Terms) => Outcome;
}

export const MAX_YEARS_AHEAD = 10;

/** When time alone changes the registration next. */
export function nextDueAt(registration: Registration): Date {
  return nextEvent(registration).at;
}

/**
 * Everything that has fallen due by `now`, in its order (the RFC 3915 state machine, as far as time drives it).
 * Looking later, or looking twice, comes to the same.
 */
export function settle(registration: Registration, terms: Terms, now: Date): Outcome {
  let current: Registration | undefined = registration;
  const charges: Charge[] = [];
  const notices: Notice[] = [];
  while (current) {
    const { at, happen } = nextEvent(current);
    if (at > now) break;
    const outcome = happen(current, at, terms);
    charges.push(...outcome.charges);
    notices.push(...outcome.notices);
    current = outcome.registration;
  }
  return { registration: current, charges, notices };
}

/** The earliest event; at one instant a transfer comes first, then the end of an auth code. */
function nextEvent({ transfer, authCode, phase, phaseEndsAt, expiresAt }: Registration): DueEvent {
  let next: DueEvent = { at: phaseEndsAt ?? expiresAt, happen: END_OF[phase] };
  if (authCode && authCode.expiresAt <= next.at) next = { at: authCode.expiresAt, happen: voidAuthCode };
  if (transfer && transfer.endsAt <= next.at)
    next = { at: transfer.endsAt, happen: (current, at, terms) => completeTransfer(current, at, terms, null) };
  return next;
}

/** How each phase ends when nobody does anything. */
const END_OF: Record<SimulatedPhase, DueEvent['happen']> = {
  registered: autoRenew,
  auto_renew_grace: (registration) =>
    quietly({ ...registration, phase: 'registered', phaseEndsAt: null, autoRenewedFrom: null, refundable: 0 }),
  redemption: (registration, at, { periods }) => ({
    registration: { ...registration, phase: 'pending_delete', phaseEndsAt: addDays(at, periods.pendingDelete) },
    charges: [],
    notices: [
      {
        registrar: registration.sponsor,
        at,
        kind: 'changed',
        name: registration.name,
        text: `${registration.name} was not restored and will be deleted`,
      },
    ],
  }),
  pending_delete: ({ sponsor, name }, at) => ({
    registration: undefined,
    charges: [],
    notices: [{ registrar: sponsor, at, kind: 'deleted', name, text: `${name} was deleted` }],
  }),
};

function autoRenew(
  registration: Registration,
  at: Date,
  { periods, renewalYears: { min: years }, renewal }: Terms,
): Outcome {
  const { sponsor, name, expiresAt } = registration;
  const renewed = addYears(expiresAt, years);
  const amount = renewal(years);
  return {
    registration: {
      ...registration,
      phase: 'auto_renew_grace',
      phaseEndsAt: addDays(at, periods.autoRenewGrace),
      autoRenewedFrom: expiresAt,
      expiresAt: renewed,
      addGraceEndsAt: null,
      refundable: amount,
    },
    charges: [{ registrar: sponsor, at, kind: 'auto_renew', name, years, amount, transactionId: null }],
    notices: [
      {
        registrar: sponsor,
        at,
        kind: 'changed',
        name,
        text: `${name} has expired and was renewed automatically until ${day(renewed)}`,
      },
    ],
  };
}

function voidAuthCode(registration: Registration): Outcome {
  return quietly({ ...registration, authCode: null });
}

/**
 * A transfer adds a year, which takes the place of the one that an automatic renewal added (ICANN transfer policy).
 * `transactionId` is that of the sponsor's approval; null where the end of the transfer period was the approval.
 */
export function completeTransfer(
  registration: Registration,
  at: Date,
  { renewal }: Terms,
  transactionId: string | null,
): Outcome {
  const { sponsor, name, transfer, autoRenewedFrom, expiresAt, refundable } = registration;
  const gaining = transfer?.gaining ?? sponsor;
  const undone: Charge[] = autoRenewedFrom
    ? [{ registrar: sponsor, at, kind: 'refund', name, years: 1, amount: -refundable, transactionId }]
    : [];
  return {
    registration: {
      ...registration,
      sponsor: gaining,
      expiresAt: earlier(addYears(autoRenewedFrom ?? expiresAt, 1), addYears(at, MAX_YEARS_AHEAD)),
      phase: 'registered',
      phaseEndsAt: null,
      autoRenewedFrom: null,
      addGraceEndsAt: null,
      refundable: 0,
      transfer: null,
      authCode: null,
    },
    charges: [
      ...undone,
      { registrar: gaining, at, kind: 'transfer', name, years: 1, amount: renewal(1), transactionId },
    ],
    notices: [
      { registrar: sponsor, at, kind: 'transferred_out', name, text: `${name} was transferred to ${gaining}` },
      { registrar: gaining, at, kind: 'transferred_in', name, text: `${name} was transferred from ${sponsor}` },
    ],
  };
}

function quietly(registration: Registration): Outcome {
  return { registration, charges: [], notices: [] };
}

function earlier(left: Date, right: Date): Date {
  return left < right ? left : right;
}

function day(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}
