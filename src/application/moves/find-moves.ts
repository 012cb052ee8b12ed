import { inject, injectable } from '../ports/inject';
import { actorText, type Reader } from '../../domain/access/actor';
import { assertActionAllowed, maySeeName } from '../../domain/access/key-permissions';
import { ProposalNotFound } from '../../domain/access/proposals/proposal-errors';
import type { AccountMove, AccountMoveState } from '../../domain/registration/account-move';
import { AccountReader } from '../ports/access/accounts-and-api-keys';
import { AccountMoveReader, type MoveFilter } from '../ports/registration/operations-and-transfers';
import type { ListPosition } from '../ports/storage/page';
import { Clock } from '../ports/system';

/** The names of both accounts, so that people know each other. */
export interface MoveParties {
  readonly from: string;
  readonly to: string;
}

/** Reads the moves of names to and from an account. @throws LimitedKey */
@injectable()
export class FindMoves {
  constructor(
    @inject(AccountMoveReader) private readonly moves: AccountMoveReader,
    @inject(AccountReader) private readonly accounts: Pick<AccountReader, 'find'>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** @throws ProposalNotFound */
  async byId({ accountId, actor, moveId }: Reader & { readonly moveId: string }): Promise<AccountMove> {
    assertActionAllowed(actor, 'read');
    const move = await this.moves.find(accountId, moveId);
    if (!move || !maySeeMove(actor, move.toState())) throw new ProposalNotFound();
    return move;
  }

  /** Newest first; `maySeeMove` says which of them the reader may see. */
  async page(
    { accountId, actor }: Reader,
    { direction, isOpen }: Pick<MoveFilter, 'direction'> & { readonly isOpen?: boolean | undefined },
    limit: number,
    after?: ListPosition,
  ): Promise<readonly AccountMoveState[]> {
    assertActionAllowed(actor, 'read');
    const filter = { direction, ...(isOpen && { openAt: this.clock.now() }) };
    return this.moves.page(accountId, filter, limit, after);
  }

  /** How many wait for a decision of the account. */
  countIncoming({ accountId }: Pick<Reader, 'accountId'>): Promise<number> {
    return this.moves.countIncoming(accountId, this.clock.now());
  }

  async namesOf(fromId: string, toId: string): Promise<MoveParties> {
    const [from, to] = await Promise.all([this.accounts.find(fromId), this.accounts.find(toId)]);
    return { from: from?.name ?? '', to: to?.name ?? '' };
  }
}

/** The tags of a name that moves are not known to both accounts: who is limited to tags sees what they have proposed. */
export function maySeeMove(actor: Reader['actor'], { name, proposer }: Pick<AccountMoveState, 'name' | 'proposer'>) {
  return maySeeName(actor, name) || actorText(actor) === actorText(proposer);
}
