import { inject, injectable } from '../ports/inject';
import type { Reader } from '../../domain/access/actor';
import { assertActionAllowed, maySeeName } from '../../domain/access/key-permissions';
import { DomainName } from '../../domain/shared/domain-name';
import { operationIdOf } from '../../domain/registration/operations/transaction-id';
import { OperationReader, TransferReader } from '../ports/registration/operations-and-transfers';
import { RegistrySandbox, type LedgerEntry } from '../ports/registry/registry-sandbox';

/**
 * Reads the registry's charges for the account's names. The registry has one ledger for all accounts: an entry belongs to the
 * account of the name's last registration or transfer in, which is found by its transaction id.
 */
@injectable()
export class ReadLedger {
  constructor(
    @inject(RegistrySandbox) private readonly sandbox: RegistrySandbox,
    @inject(OperationReader) private readonly operations: OperationReader,
    @inject(TransferReader) private readonly transfers: TransferReader,
  ) {}

  /** Oldest first. @throws ValidationError, LimitedKey */
  async execute({ accountId, actor, name }: Reader & { name?: string | undefined }): Promise<readonly LedgerEntry[]> {
    assertActionAllowed(actor, 'read');
    const entries = await this.sandbox.ledger(name === undefined ? undefined : DomainName.parse(name));
    const registrations = entries.flatMap((entry) => registrationOf(entry) ?? []);
    const own = new Set([
      ...(await this.operations.ownedAmong(accountId, registrations)),
      ...(await this.transfers.ownedAmong(accountId, registrations)),
    ]);
    const holders = new Map<string, string>();
    return entries.filter((entry) => {
      const registration = registrationOf(entry);
      if (registration !== undefined) holders.set(entry.name.value, registration);
      return own.has(holders.get(entry.name.value) ?? '') && maySeeName(actor, entry.name.value);
    });
  }
}

function registrationOf({ kind, transactionId }: LedgerEntry): string | undefined {
  return (kind === 'register' || kind === 'transfer') && transactionId !== null
    ? operationIdOf(transactionId)
    : undefined;
}
