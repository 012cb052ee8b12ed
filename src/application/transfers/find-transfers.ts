import { inject, injectable } from '../ports/inject';
import { actorText, type Actor, type Reader } from '../../domain/access/actor';
import {
  assertActionAllowed,
  assertNotForRecordsOnly,
  limitsOf,
  maySeeName,
} from '../../domain/access/key-permissions';
import { TransferNotFound } from '../../domain/registration/registration-errors';
import type { Transfer } from '../../domain/registration/transfers/transfer';
import type { TransferState } from '../../domain/registration/transfers/transfer-state';
import { pagesOf } from '../shared/pages-of';
import { TransferReader } from '../ports/registration/operations-and-transfers';
import type { ListPosition } from '../ports/storage/page';

/** The account's transfers of names to us, as far as the requester may see them. A key may follow what it began. @throws LimitedKey */
@injectable()
export class FindTransfers {
  constructor(@inject(TransferReader) private readonly transfers: TransferReader) {}

  /** @throws TransferNotFound */
  async byId({ accountId, actor, transferId }: Reader & { transferId: string }): Promise<Transfer> {
    const transfer = await this.transfers.find(accountId, transferId);
    const isOwn = transfer !== undefined && actorText(transfer.toState().actor) === actorText(actor);
    if (!isOwn) assertMayRead(actor);
    if (!transfer || !maySeeName(actor, transfer.name.value)) throw new TransferNotFound();
    return transfer;
  }

  /** Newest first. */
  async page({ accountId, actor }: Reader, limit: number, after?: ListPosition): Promise<readonly TransferState[]> {
    assertMayRead(actor);
    const { domains, tags } = limitsOf(actor) ?? {};
    return tags ? [] : this.transfers.page(accountId, limit, after, domains);
  }

  all(requester: Reader): AsyncIterable<readonly TransferState[]> {
    assertMayRead(requester.actor);
    return pagesOf((limit, after) => this.page(requester, limit, after), requester.accountId);
  }
}

/** Transfers have prices. @throws LimitedKey */
function assertMayRead(actor: Actor): void {
  assertActionAllowed(actor, 'read');
  assertNotForRecordsOnly(actor);
}
