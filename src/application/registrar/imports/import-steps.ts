import { inject, injectable } from '../../ports/inject';
import type { ImportCounts, ImportedName, NameImport } from '../../../domain/registrar/name-import';
import { isHostName } from '../../../domain/shared/domain-name';
import { importFinished } from '../../audit/access-audit';
import { settleAll } from '../../shared/settle-all';
import { sleepUnless } from '../../shared/sleep-unless';
import { ImportReader } from '../../ports/registration/imports-and-reconciliation';
import { DomainReader } from '../../ports/registration/domain-repository';
import { NameListings } from '../../ports/registry/registries';
import { RegistryRejected, type RegistryUnavailable } from '../../ports/registry/registry-errors';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { Clock, Log } from '../../ports/system';
import { ImportName } from './import-name';

const BATCH_SIZE = 100;
const CONCURRENT_NAMES = 8;

/** Lists the names of an import page by page, then imports them in batches. Each step is stored. */
@injectable()
export class ImportSteps {
  constructor(
    @inject(ImportReader) private readonly imports: ImportReader,
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(NameListings) private readonly registries: NameListings,
    @inject(ImportName) private readonly importName: ImportName,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'audit' | 'imports'>,
    @inject(Clock) private readonly clock: Clock,
    @inject(Log) private readonly log: Log,
  ) {}

  /**
   * Lists a page or imports a batch, and returns the import afterwards. After an outage of the registry it waits as long as
   * the registry asks. Ends early when `stopping` is aborted.
   */
  advance(nameImport: NameImport, stopping: AbortSignal): Promise<NameImport> {
    return nameImport.status === 'listing' ? this.listPage(nameImport) : this.importBatch(nameImport, stopping);
  }

  /** Names of other accounts are left out: this account must not learn of them. */
  private async listPage(nameImport: NameImport): Promise<NameImport> {
    const { id, accountId, registry, cursor } = nameImport;
    const listing = this.registries.listings().find((each) => each.registry === registry);
    if (!listing) return this.fail(nameImport, `The registry ${registry} is not configured any more`);
    try {
      const { names, skipped = [], next } = await listing.list(cursor ?? undefined);
      // Those without an expiry are tried, too, so that the report names them with the reason.
      const listed = [...names.map(({ name }) => name.value), ...skipped.map(({ name }) => name).filter(isHostName)];
      const unusable = skipped.filter(({ name }) => !isHostName(name));
      const here = await this.domains.liveAmong(listed);
      const foreign = new Set(here.filter((state) => state.accountId !== accountId).map(({ name }) => name));
      const changed = this.changed(nameImport, {
        status: next === undefined ? 'running' : 'listing',
        cursor: next ?? null,
      });
      await this.unitOfWork.run(async ({ imports }) => {
        await imports.addNames(
          id,
          listed.filter((name) => !foreign.has(name)),
        );
        await imports.addNames(
          id,
          unusable.map(({ name }) => name),
        );
        for (const { name, reason } of unusable)
          await imports.settle(id, { name, state: 'failed', attempts: 0, reason });
        await imports.save(changed);
      }, accountId);
      return changed;
    } catch (error) {
      if (!(error instanceof RegistryRejected)) throw error;
      return this.fail(nameImport, `${error.details ?? error.message}. Give the names to import`);
    }
  }

  private async importBatch(nameImport: NameImport, stopping: AbortSignal): Promise<NameImport> {
    const batch = await this.imports.waiting(nameImport.id, BATCH_SIZE);
    if (batch.length === 0) return this.finish(nameImport);
    const waiting = await this.settlePresent(nameImport, batch);
    let unavailable: RegistryUnavailable | undefined;
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next && !unavailable && !stopping.aborted; next = waiting.shift())
        unavailable = (await this.importName.execute(nameImport, next)) ?? unavailable;
    };
    await settleAll(Array.from({ length: CONCURRENT_NAMES }, worker));
    if (unavailable) await sleepUnless(stopping, unavailable.retryAfterSeconds * 1_000);
    return nameImport;
  }

  /** Names that the account has need no call to the registry. Returns the others. */
  private async settlePresent({ id, accountId }: NameImport, batch: readonly ImportedName[]): Promise<ImportedName[]> {
    const here = await this.domains.liveAmong(batch.map(({ name }) => name));
    const own = new Set(here.filter((state) => state.accountId === accountId).map(({ name }) => name));
    const present = batch.filter(({ name }) => own.has(name));
    if (present.length > 0)
      await this.unitOfWork.run(async ({ imports }) => {
        for (const name of present) await imports.settle(id, { ...name, state: 'present', reason: null });
      }, accountId);
    return batch.filter(({ name }) => !own.has(name));
  }

  private async finish(nameImport: NameImport): Promise<NameImport> {
    const counts = await this.imports.counts(nameImport.id);
    const { id: importId, registry } = nameImport;
    this.log.info({ importId, registry, ...counts }, 'an import of names has finished');
    return this.end(nameImport, counts, { status: 'finished' });
  }

  private async fail(nameImport: NameImport, error: string): Promise<NameImport> {
    this.log.warn(
      { importId: nameImport.id, registry: nameImport.registry, reason: error },
      'an import of names failed',
    );
    return this.end(nameImport, await this.imports.counts(nameImport.id), { status: 'failed', error });
  }

  private async end(
    nameImport: NameImport,
    counts: ImportCounts,
    outcome: Pick<NameImport, 'status'> & { readonly error?: string },
  ): Promise<NameImport> {
    const at = this.clock.now();
    const ended = this.changed(nameImport, { ...outcome, cursor: null, finishedAt: at });
    await this.unitOfWork.run(async ({ audit, imports }) => {
      if (await imports.end(ended)) await audit.append(importFinished(ended, counts, at));
    }, nameImport.accountId);
    return ended;
  }

  private changed(nameImport: NameImport, part: Partial<NameImport>): NameImport {
    return { ...nameImport, ...part, updatedAt: this.clock.now() };
  }
}
