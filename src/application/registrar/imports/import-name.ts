import { inject, injectable } from '../../ports/inject';
import { DomainName } from '../../../domain/shared/domain-name';
import { DomainUnavailable } from '../../../domain/registration/registration-errors';
import type { ImportedName, NameImport } from '../../../domain/registrar/name-import';
import { RegistryNotContacted, RegistryRejected, RegistryUnavailable } from '../../ports/registry/registry-errors';
import { StorageUnavailable } from '../../ports/storage/storage-unavailable';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { Log } from '../../ports/system';
import { AdoptName } from './adopt-name';

/** After this many calls without a response, a name fails, so that one name does not keep the import from ending. */
const MAX_ATTEMPTS = 10;
const NOT_HELD = 'The registrar account does not hold this name, or another account here has it';
const UNEXPECTED = 'An unexpected error; the log of the service has the details';
const NO_RESPONSE = 'The registrar did not respond. Import the name again later';

/** Adopts one name of an import, and stores its outcome in the same transaction. */
@injectable()
export class ImportName {
  constructor(
    @inject(AdoptName) private readonly adoptName: AdoptName,
    @inject(UnitOfWork)
    private readonly unitOfWork: UnitOfWork<'audit' | 'domains' | 'imports' | 'zones' | 'zoneSignings'>,
    @inject(Log) private readonly log: Log,
  ) {}

  /** Returns the error if the registry did not respond; the name then waits. */
  async execute(nameImport: NameImport, waiting: ImportedName): Promise<RegistryUnavailable | undefined> {
    const { id, accountId, actor } = nameImport;
    const settleAs = (outcome: Pick<ImportedName, 'state' | 'reason'> & { readonly attempts?: number }) =>
      this.unitOfWork.run(({ imports }) => imports.settle(id, { ...waiting, ...outcome }), accountId);
    try {
      const held = await this.adoptName.read(DomainName.fromState(waiting.name), accountId);
      if (!held) await settleAs({ state: 'failed', reason: NOT_HELD });
      else
        await this.unitOfWork.run(async (stores) => {
          const outcome = await this.adoptName.apply(stores, { accountId, actor, held });
          const settled =
            outcome === 'taken' ? ({ state: 'failed', reason: NOT_HELD } as const) : { state: outcome, reason: null };
          await stores.imports.settle(id, { ...waiting, ...settled });
        }, accountId);
      return undefined;
    } catch (error) {
      if (error instanceof RegistryNotContacted) return error;
      if (error instanceof RegistryUnavailable) {
        const attempts = waiting.attempts + 1;
        const isLast = attempts >= MAX_ATTEMPTS;
        await settleAs({ attempts, state: isLast ? 'failed' : 'waiting', reason: isLast ? NO_RESPONSE : null });
        return error;
      }
      if (error instanceof StorageUnavailable) throw error;
      // Registered here in the meantime: the next attempt sees by whom.
      if (error instanceof DomainUnavailable) return undefined;
      const isRejected = error instanceof RegistryRejected;
      if (!isRejected) this.log.error({ err: error, importId: id, name: waiting.name }, 'the import of a name failed');
      await settleAs({ state: 'failed', reason: isRejected ? (error.details ?? error.message) : UNEXPECTED });
      return undefined;
    }
  }
}
