import { inject, injectable } from 'inversify';
import { TransferNotFound } from '../../domain/registration/errors';
import type { Transfer, TransferState } from '../../domain/registration/transfer';
import { pagesOf } from '../pages-of';
import { TransferReader } from '../ports/registration/transfer-repository';
import type { ListPosition } from '../ports/storage/list-position';

/** The account's transfers of names to us. */
@injectable()
export class FindTransfers {
  constructor(@inject(TransferReader) private readonly transfers: TransferReader) {}

  /** @throws TransferNotFound */
  async byId({ accountId, transferId }: { accountId: string; transferId: string }): Promise<Transfer> {
    const transfer = await this.transfers.find(accountId, transferId);
    if (!transfer) throw new TransferNotFound();
    return transfer;
  }

  /** Newest first. */
  async page(accountId: string, limit: number, after?: ListPosition): Promise<readonly TransferState[]> {
    return this.transfers.page(accountId, limit, after);
  }

  all(accountId: string): AsyncIterable<readonly TransferState[]> {
    return pagesOf((limit, after) => this.transfers.page(accountId, limit, after));
  }
}
