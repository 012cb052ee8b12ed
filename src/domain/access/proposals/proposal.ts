import { actorText, type Actor } from '../actor';
import { IDEMPOTENCY_KEY_MS } from '../idempotency-record';
import { limitsOf } from '../key-permissions';
import { ProposalClosed, ProposerDecides } from './proposal-errors';
import { ValidationError } from '../../shared/validation-error';

/** A write of the API, as it would be sent. */
export interface ProposedWrite {
  readonly method: string;
  /** From the root, with the query string. */
  readonly path: string;
  readonly ifMatch?: string;
  /** The version of the zone for which the plan was accepted: the write is sent for it. */
  readonly acceptedFor?: string;
}

/**
 * `accepting`: the write has been accepted and may have been done; a repeated acceptance ends it. `stale`: the write would no longer do
 * what the plan says. `failed`: it was accepted and refused. `expired`: it was not decided in time, or its acceptance had
 * no end and was not repeated.
 */
export type ProposalStatus =
  'open' | 'accepting' | 'accepted' | 'rejected' | 'withdrawn' | 'stale' | 'failed' | 'expired';

/** What the write would do: the members of the API. */
export type ProposalPlan = Readonly<Record<string, unknown>>;

export interface ProposalDecision {
  readonly actor: Actor;
  readonly comment: string | null;
  readonly at: Date;
}

export interface ProposalState {
  readonly id: string;
  readonly accountId: string;
  readonly proposer: Actor;
  readonly write: ProposedWrite;
  /** JSON, which may hold an auth code: sealed for `proposedBodyPurpose`. Null if there is none. */
  readonly sealedBody: string | null;
  readonly reason: string;
  readonly plan: ProposalPlan;
  readonly status: ProposalStatus;
  readonly decision: ProposalDecision | null;
  /** What the write would do now, if it is stale. */
  readonly currentPlan: ProposalPlan | null;
  /** Why it failed. */
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly updatedAt: Date;
}

export function proposedBodyPurpose(proposalId: string): string {
  return `proposal: ${proposalId}`;
}

const MAX_TEXT = 500;
const LIFETIME_MS = 7 * 24 * 3_600_000;

/** A write that waits until someone else accepts it. */
export class Proposal {
  private constructor(private state: ProposalState) {}

  static fromState(state: ProposalState): Proposal {
    return new Proposal(state);
  }

  /** @param endsAt when the write could no longer be done, if that is before seven days @throws ValidationError */
  static propose(
    proposal: Pick<ProposalState, 'id' | 'accountId' | 'proposer' | 'write' | 'sealedBody' | 'reason' | 'plan'>,
    now: Date,
    endsAt?: Date,
  ): Proposal {
    const latest = new Date(now.getTime() + LIFETIME_MS);
    const expiresAt = endsAt && endsAt < latest ? endsAt : latest;
    return new Proposal({
      ...proposal,
      reason: parseProposalText('reason', proposal.reason),
      status: 'open',
      decision: null,
      currentPlan: null,
      error: null,
      createdAt: now,
      updatedAt: now,
      expiresAt,
    });
  }

  get id(): string {
    return this.state.id;
  }

  get write(): ProposedWrite {
    return this.state.write;
  }

  /** The version that the write is sent for: If-Match. Undefined: any. */
  get sentFor(): string | undefined {
    const { acceptedFor, ifMatch } = this.state.write;
    return acceptedFor ?? ifMatch;
  }

  toState(): ProposalState {
    return this.state;
  }

  isAccepting(): boolean {
    return this.state.status === 'accepting';
  }

  isOpen(now: Date): boolean {
    return this.state.status === 'open' && now < this.state.expiresAt;
  }

  /** @param acceptedFor the version that the plan was made for @throws ProposalClosed, ProposerDecides */
  accept({ actor, comment, at }: ProposalDecision, acceptedFor?: string): void {
    this.assertOpen(at);
    if (this.isBy(actor)) throw new ProposerDecides('decide');
    const write = { ...this.state.write, ...(acceptedFor !== undefined && { acceptedFor }) };
    const decision = { actor, comment: parseDecisionComment(comment), at };
    const expiresAt = new Date(at.getTime() + IDEMPOTENCY_KEY_MS);
    this.change({ status: 'accepting', write, decision, expiresAt }, at);
  }

  /**
   * Whether it is accepted already, so that the acceptance is a repetition, which gets the response of the write: by who accepted it,
   * or by someone without limits. Later than the write is recognized it could be done twice.
   * @throws ProposalClosed
   */
  isAcceptedAgain(actor: Actor, now: Date): boolean {
    const { status, decision, expiresAt } = this.state;
    if (status !== 'accepting') return false;
    if (expiresAt <= now) throw new ProposalClosed('expired');
    if (limitsOf(actor) && decision && actorText(actor) !== actorText(decision.actor)) throw new ProposalClosed(status);
    return true;
  }

  markDone(now: Date): void {
    if (this.isAccepting()) this.change({ status: 'accepted' }, now);
  }

  markFailed(error: { readonly code: string; readonly message: string }, now: Date): void {
    if (this.isAccepting()) this.change({ status: 'failed', error }, now);
  }

  /** Before it is accepted, or after its write was refused. @throws ProposalClosed */
  markStale(currentPlan: ProposalPlan, decision: ProposalDecision): void {
    if (this.isAccepting()) return this.change({ status: 'stale', currentPlan }, decision.at);
    this.assertOpen(decision.at);
    this.change({ status: 'stale', currentPlan, decision }, decision.at);
  }

  /** The zone has changed since it was accepted, but not what the write does. */
  renewVersion(acceptedFor: string, now: Date): void {
    if (this.isAccepting()) this.change({ write: { ...this.state.write, acceptedFor } }, now);
  }

  /** @throws ProposalClosed, ProposerDecides */
  reject({ actor, comment, at }: ProposalDecision): void {
    this.assertOpen(at);
    if (this.isBy(actor)) throw new ProposerDecides('decide');
    this.change({ status: 'rejected', decision: { actor, comment: parseDecisionComment(comment), at } }, at);
  }

  /** By who proposed it. @throws ProposalClosed, ProposerDecides */
  withdraw({ actor, comment, at }: ProposalDecision): void {
    this.assertOpen(at);
    if (!this.isBy(actor)) throw new ProposerDecides('withdraw');
    this.change({ status: 'withdrawn', decision: { actor, comment: parseDecisionComment(comment), at } }, at);
  }

  /** Returns whether it has ended now, before anyone decided on it or without a known outcome. */
  expire(now: Date): boolean {
    const hasEnded = statusAt(this.state, now) === 'expired' && this.state.status !== 'expired';
    if (hasEnded) this.change({ status: 'expired' }, now);
    return hasEnded;
  }

  private isBy(actor: Actor): boolean {
    return actorText(actor) === actorText(this.state.proposer);
  }

  private assertOpen(now: Date): void {
    if (this.isOpen(now)) return;
    throw new ProposalClosed(this.state.status === 'open' ? 'expired' : this.state.status);
  }

  private change(changes: Partial<ProposalState>, now: Date): void {
    this.state = { ...this.state, ...changes, updatedAt: now };
  }
}

/** The status that a reader sees: that a proposal has expired is written up to a minute later. */
export function statusAt(
  { status, expiresAt }: Pick<ProposalState, 'status' | 'expiresAt'>,
  now: Date,
): ProposalStatus {
  return (status === 'open' || status === 'accepting') && expiresAt <= now ? 'expired' : status;
}

/** Why something is proposed, or decided so. @throws ValidationError */
export function parseProposalText(field: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed.length === 0 || trimmed.length > MAX_TEXT || /\p{Cs}|(?!\n)\p{Cc}/u.test(trimmed))
    throw ValidationError.of(field, `must be 1 to ${MAX_TEXT} characters without control characters`);
  return trimmed;
}

/** @throws ValidationError */
export function parseDecisionComment(comment: string | null): string | null {
  return comment === null || comment.trim() === '' ? null : parseProposalText('comment', comment);
}
