import type { Actor } from '../access/actor';
import { parseDecisionComment, parseProposalText, type ProposalDecision } from '../access/proposals/proposal';
import { ProposalClosed, ProposerDecides } from '../access/proposals/proposal-errors';
import { DomainStatusConflict } from '../shared/domain-errors';
import { ValidationError } from '../shared/validation-error';
import type { DomainState } from './domain';
import type { Operation } from './operations/operation';
import { OperationInProgress } from './registration-errors';

export type MoveStatus = 'open' | 'accepted' | 'rejected' | 'withdrawn';
export type ShownMoveStatus = MoveStatus | 'expired';

/** What a move means for each account, in sentences: plans are read by people. */
export interface MoveEffects {
  /** What ends for the account that gives the name away. */
  readonly ends: readonly string[];
  /** What the other account gets with it. */
  readonly comes: readonly string[];
}

export interface AccountMoveState {
  readonly id: string;
  /** The account that gives the name away. */
  readonly accountId: string;
  readonly toAccountId: string;
  readonly domainId: string;
  readonly name: string;
  /** Zones of the account below the name, which it delegates to; they move along. Sorted. */
  readonly zones: readonly string[];
  readonly effects: MoveEffects;
  readonly proposer: Actor;
  readonly reason: string;
  readonly status: MoveStatus;
  readonly decision: ProposalDecision | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly expiresAt: Date;
}

const LIFETIME_MS = 7 * 24 * 3_600_000;
const MOVABLE: readonly DomainState['status'][] = ['hosted', 'active', 'expired'];

/** A domain or zone that another account of this installation gets if it accepts. */
export class AccountMove {
  private constructor(private state: AccountMoveState) {}

  static fromState(state: AccountMoveState): AccountMove {
    return new AccountMove(state);
  }

  /** @throws ValidationError */
  static propose(
    move: Omit<AccountMoveState, 'status' | 'decision' | 'createdAt' | 'updatedAt' | 'expiresAt'>,
    now: Date,
  ): AccountMove {
    if (move.toAccountId === move.accountId)
      throw ValidationError.of('account_id', 'must be another account: the name is in this one already');
    return new AccountMove({
      ...move,
      reason: parseProposalText('reason', move.reason),
      status: 'open',
      decision: null,
      createdAt: now,
      updatedAt: now,
      expiresAt: new Date(now.getTime() + LIFETIME_MS),
    });
  }

  get id(): string {
    return this.state.id;
  }

  toState(): AccountMoveState {
    return this.state;
  }

  isOpen(now: Date): boolean {
    return this.state.status === 'open' && now < this.state.expiresAt;
  }

  /** By the other account. @throws ProposalClosed, ProposerDecides, ValidationError */
  accept(accountId: string, decision: ProposalDecision): void {
    this.decide('accepted', accountId, decision);
  }

  /** By the other account. @throws ProposalClosed, ProposerDecides, ValidationError */
  reject(accountId: string, decision: ProposalDecision): void {
    this.decide('rejected', accountId, decision);
  }

  /** By the account that gives the name away. @throws ProposalClosed, ProposerDecides, ValidationError */
  withdraw(accountId: string, decision: ProposalDecision): void {
    if (accountId !== this.state.accountId) throw new ProposerDecides('withdraw');
    this.close('withdrawn', decision);
  }

  private decide(status: 'accepted' | 'rejected', accountId: string, decision: ProposalDecision): void {
    if (accountId !== this.state.toAccountId) throw new ProposerDecides('decide');
    this.close(status, decision);
  }

  private close(status: Exclude<MoveStatus, 'open'>, { actor, comment, at }: ProposalDecision): void {
    if (!this.isOpen(at)) throw new ProposalClosed(moveStatusAt(this.state, at));
    const decision = { actor, comment: parseDecisionComment(comment), at };
    this.state = { ...this.state, status, decision, updatedAt: at };
  }
}

/** The status that a reader sees: nothing is written when a move expires. */
export function moveStatusAt(
  { status, expiresAt }: Pick<AccountMoveState, 'status' | 'expiresAt'>,
  now: Date,
): ShownMoveStatus {
  return status === 'open' && expiresAt <= now ? 'expired' : status;
}

/** Whether a name in this status can move to another account. */
export function isMovable(status: DomainState['status']): boolean {
  return MOVABLE.includes(status);
}

/**
 * An auth code that the former account knows would let it take the domain away again.
 * @throws DomainStatusConflict, OperationInProgress
 */
export function assertMovable(
  { name, status, transferPending, authCodeUntil }: DomainState,
  unfinished: readonly Operation[],
  now: Date,
): void {
  if (!isMovable(status))
    throw new DomainStatusConflict(
      `It is not possible to move ${name} to another account in status ${status}. It is possible in: ${MOVABLE.join(', ')}`,
    );
  const [first] = unfinished;
  if (first)
    throw new OperationInProgress(
      `${name} has an unfinished operation. Follow it at /api/operations/${first.id}, and try again after it`,
    );
  if (transferPending)
    throw new DomainStatusConflict(
      `A transfer of ${name} to another registrar is pending. Reject it or wait for its end`,
    );
  if (authCodeUntil && authCodeUntil > now)
    throw new DomainStatusConflict(
      `${name} has a valid auth code until ${authCodeUntil.toISOString()}. Try again after it has ended`,
    );
}
