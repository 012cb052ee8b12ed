import type { Request } from 'express';
import { inject, injectable } from '../../../application/ports/inject';
import { AccountMoveReader } from '../../../application/ports/registration/operations-and-transfers';
import { ProposalReader } from '../../../application/ports/access/proposals';
import { StorageUnavailable } from '../../../application/ports/storage/storage-unavailable';
import { Clock } from '../../../application/ports/system';
import { hasEveryDomain, type UserSession } from '../user-session';
import { isForWholePage } from './count-notifications';

/** The number in the navigation of a page: proposals, and moves that the account can accept. */
@injectable()
export class CountProposals {
  constructor(
    @inject(ProposalReader) private readonly proposals: ProposalReader,
    @inject(AccountMoveReader) private readonly moves: Pick<AccountMoveReader, 'countIncoming'>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** Undefined for people who see none, for what has no navigation, and during an outage. */
  async forPage(req: Request, userSession: UserSession): Promise<number | undefined> {
    if (!isForWholePage(req) || !hasEveryDomain(userSession)) return undefined;
    return this.count(userSession.accountId).catch((error: unknown) => {
      if (error instanceof StorageUnavailable) return undefined;
      throw error;
    });
  }

  private async count(accountId: string): Promise<number> {
    const now = this.clock.now();
    const [proposals, moves] = await Promise.all([
      this.proposals.countUndecided(accountId, now),
      this.moves.countIncoming(accountId, now),
    ]);
    return proposals + moves;
  }
}
