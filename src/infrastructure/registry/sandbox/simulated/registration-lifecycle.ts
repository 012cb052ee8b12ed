import { addDays, addYears } from '../../../../domain/shared/time/calendar';
import { formatDate } from '../../../../domain/shared/time/date-text';
import {
  detailsOf,
  type Charge,
  type Notice,
  type Outcome,
  type Registration,
  type SimulatedPhase,
} from './registration';

/** The periods and prices that the lifecycle needs. */
export interface Terms {
  readonly periods: { readonly autoRenewGrace: number; readonly pendingDelete: number };
  /** Automatic renewals and transfers are for the shortest term. */
  readonly renewalYears: { readonly min: number };
  /** Renewal fee in minor units, by years. */
  readonly renewal: (years: number) => number;
}

interface DueEvent {
  readonly at: Date;
  readonly apply: (registration: Registration, at: Date, terms: Terms) => Outcome;
}

export const MAX_YEARS_AHEAD = 10;

/** When the registration next changes without a command. */
export function nextTransitionAt(registration: Registration): Date {
  return nextEvent(registration).at;
}

/**
 * Applies every transition due by `now`, in order (the time-driven part of the RFC 3915 state machine).
 * Idempotent: applying later or repeatedly gives the same result.
 */
export function applyTransitions(registration: Registration, terms: Terms, now: Date): Outcome {
  let current: Registration | undefined = registration;
  const charges: Charge[] = [];
  const notices: Notice[] = [];
  while (current) {
    const { at, apply } = nextEvent(current);
    if (at > now) break;
    const outcome = apply(current, at, terms);
    charges.push(...outcome.charges);
    notices.push(...outcome.notices);
    current = outcome.registration;
  }
  return { registration: current, charges, notices };
}

/** The earliest event. At the same instant a transfer comes first, then the expiry of an auth code. */
function nextEvent({ transfer, authCode, phase, phaseEndsAt, expiresAt }: Registration): DueEvent {
  let next: DueEvent = { at: phaseEndsAt ?? expiresAt, apply: END_OF[phase] };
  if (authCode && authCode.expiresAt <= next.at) next = { at: authCode.expiresAt, apply: voidAuthCode };
  if (transfer && transfer.endsAt <= next.at)
    next = { at: transfer.endsAt, apply: (current, at, terms) => completeTransfer(current, at, terms, null) };
  return next;
}

/** How each phase ends without a command. */
const END_OF: Record<SimulatedPhase, DueEvent['apply']> = {
  registered: autoRenew,
  auto_renew_grace: (registration) =>
    withoutEffects({ ...registration, phase: 'registered', phaseEndsAt: null, autoRenewedFrom: null, refundable: 0 }),
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
        text: `${name} has expired and was renewed automatically until ${formatDate(renewed)}`,
      },
    ],
  };
}

function voidAuthCode(registration: Registration): Outcome {
  return withoutEffects({ ...registration, authCode: null });
}

/**
 * A transfer adds the shortest term, which replaces the one of an automatic renewal (ICANN transfer policy).
 * `transactionId` is the sponsor's approval's; null if the transfer period ended. The charge has the request's.
 */
export function completeTransfer(
  registration: Registration,
  at: Date,
  { renewal, renewalYears: { min: years } }: Terms,
  transactionId: string | null,
): Outcome {
  const { sponsor, name, transfer, autoRenewedFrom, expiresAt, refundable } = registration;
  const gaining = transfer?.gaining ?? sponsor;
  const details = detailsOf(registration);
  const record = details.transfer;
  const refunds: Charge[] = autoRenewedFrom
    ? [{ registrar: sponsor, at, kind: 'refund', name, years, amount: -refundable, transactionId }]
    : [];
  return {
    registration: {
      ...registration,
      sponsor: gaining,
      expiresAt: earlier(addYears(autoRenewedFrom ?? expiresAt, years), addYears(at, MAX_YEARS_AHEAD)),
      phase: 'registered',
      phaseEndsAt: null,
      autoRenewedFrom: null,
      addGraceEndsAt: null,
      refundable: 0,
      transfer: null,
      authCode: null,
      registrant: record?.registrant ?? registration.registrant,
      details: record && {
        ...details,
        transfer: {
          ...record,
          state: transactionId === null ? 'serverApproved' : 'clientApproved',
          actionAt: at.getTime(),
        },
      },
    },
    charges: [
      ...refunds,
      {
        registrar: gaining,
        at,
        kind: 'transfer',
        name,
        years,
        amount: renewal(years),
        transactionId: record?.transactionId ?? null,
      },
    ],
    notices: [
      { registrar: sponsor, at, kind: 'transferred_out', name, text: `${name} was transferred to ${gaining}` },
      { registrar: gaining, at, kind: 'transferred_in', name, text: `${name} was transferred from ${sponsor}` },
    ],
  };
}

function withoutEffects(registration: Registration): Outcome {
  return { registration, charges: [], notices: [] };
}

function earlier(left: Date, right: Date): Date {
  return left < right ? left : right;
}
