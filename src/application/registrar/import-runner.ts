import { setTimeout as sleep } from 'node:timers/promises';
import { inject, injectable } from 'inversify';
import { DomainName } from '../../domain/registration/domain-name';
import { DomainUnavailable } from '../../domain/registration/errors';
import { isFinished, type ImportedName, type NameImport } from '../../domain/registrar/name-import';
import { ExclusiveLease } from '../exclusive-lease';
import { Outage } from '../outage';
import { settleAll } from '../settle-all';
import { ImportReader } from '../ports/registration/import-repository';
import { DomainReader } from '../ports/registration/domain-repository';
import { NameListings } from '../ports/registry/name-listings';
import { RegistryNotContacted, RegistryRejected, RegistryUnavailable } from '../ports/registry/registry-errors';
import { Leases } from '../ports/storage/leases';
import { StorageUnavailable } from '../ports/storage/storage-unavailable';
import { UnitOfWork } from '../ports/storage/unit-of-work';
import { Clock } from '../ports/system/clock';
import { Log } from '../ports/system/log';
import { AdoptName } from './adopt-name';

const CHECK_EVERY_MS = 1_000;
const CONFIRM_EVERY_MS = 5_000;
const IMPORTS_AT_ONCE = 10;
const BATCH_SIZE = 100;
const CONCURRENT_NAMES = 8;
/** After this many calls without a response, a name fails, so that one name does not keep the import from ending. */
const MAX_ATTEMPTS = 10;
const NOT_HELD = 'The registrar account does not hold this name, or another account here has it';
const UNEXPECTED = 'An unexpected error; the log of the service has the details';
const NO_RESPONSE = 'The registrar did not respond. Import the name again later';

/**
 * Adopts the names of imports in the background, in one process at a time. Each name is stored with its outcome in one
 * transaction, so that an import continues where it was after a crash and adopts nothing twice.
 */
@injectable()
export class ImportRunner {
  private readonly lease: ExclusiveLease;
  private readonly outage: Outage;
  private timers: readonly NodeJS.Timeout[] = [];
  private running: Promise<void> | undefined;
  private isStopping = false;

  constructor(
    @inject(ImportReader) private readonly imports: ImportReader,
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(NameListings) private readonly registries: NameListings,
    @inject(AdoptName) private readonly adoptName: AdoptName,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(Leases) leases: Leases,
    @inject(Clock) private readonly clock: Clock,
    @inject(Log) private readonly log: Log,
  ) {
    this.lease = new ExclusiveLease(leases, 'imports');
    this.outage = new Outage(log, 'importing names');
  }

  start(): void {
    this.isStopping = false;
    this.timers = [setInterval(() => void this.run(), CHECK_EVERY_MS)];
    for (const timer of this.timers) timer.unref();
  }

  /** Waits for the calls to the registry that are in progress. */
  async stop(): Promise<void> {
    this.isStopping = true;
    for (const timer of this.timers) clearInterval(timer);
    this.timers = [];
    await this.running;
  }

  /** Continues all imports until they end or their registry does not respond. Returns the running call, if any; throws nothing. */
  run(): Promise<void> {
    return (this.running ??= this.runAll().finally(() => (this.running = undefined)));
  }

  private async runAll(): Promise<void> {
    try {
      const unfinished = await this.imports.unfinished(IMPORTS_AT_ONCE);
      if (unfinished.length > 0 && (await this.lease.hold())) await this.runUnderLease(unfinished);
      this.outage.succeeded();
    } catch (error) {
      this.outage.failed(error);
    }
  }

  private async runUnderLease(unfinished: readonly NameImport[]): Promise<void> {
    const confirming = setInterval(() => {
      this.lease.hold().catch((error: unknown) => this.outage.failed(error));
    }, CONFIRM_EVERY_MS);
    try {
      await settleAll(unfinished.map((nameImport) => this.continue(nameImport)));
    } finally {
      clearInterval(confirming);
      await this.lease.release();
    }
  }

  private async continue(nameImport: NameImport): Promise<void> {
    try {
      let current = nameImport;
      while (!isFinished(current) && !this.isStopping)
        current = current.status === 'listing' ? await this.listPage(current) : await this.importBatch(current);
    } catch (error) {
      if (!(error instanceof RegistryUnavailable)) throw error;
      this.log.info({ importId: nameImport.id, err: error }, 'an import waits for its registry');
    }
  }

  /** Names of other accounts are left out: this account must not learn of them. */
  private async listPage(nameImport: NameImport): Promise<NameImport> {
    const { id, accountId, registry, cursor } = nameImport;
    const listing = this.registries.listings().find((each) => each.registry === registry);
    if (!listing) return this.fail(nameImport, `The registry ${registry} is not configured any more`);
    try {
      const { names, next } = await listing.list(cursor ?? undefined);
      const listed = names.map(({ name }) => name.value);
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
        await imports.save(changed);
      }, accountId);
      return changed;
    } catch (error) {
      if (!(error instanceof RegistryRejected)) throw error;
      return this.fail(nameImport, `${error.details ?? error.message}. Give the names to import`);
    }
  }

  private async importBatch(nameImport: NameImport): Promise<NameImport> {
    const batch = await this.imports.waiting(nameImport.id, BATCH_SIZE);
    if (batch.length === 0) return this.finish(nameImport);
    const waiting = await this.settlePresent(nameImport, batch);
    let unavailable: RegistryUnavailable | undefined;
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next && !unavailable && !this.isStopping; next = waiting.shift())
        unavailable = (await this.importName(nameImport, next)) ?? unavailable;
    };
    await settleAll(Array.from({ length: CONCURRENT_NAMES }, worker));
    if (unavailable && !this.isStopping) await sleep(unavailable.retryAfterSeconds * 1_000, undefined, { ref: false });
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

  /** Returns the error if the registry did not respond; the name then waits. */
  private async importName(nameImport: NameImport, waiting: ImportedName): Promise<RegistryUnavailable | undefined> {
    const { id, accountId, actor } = nameImport;
    const settleAs = (outcome: Pick<ImportedName, 'state' | 'reason'>) =>
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
        const settled = {
          ...waiting,
          attempts,
          state: isLast ? 'failed' : 'waiting',
          reason: isLast ? NO_RESPONSE : null,
        } as const;
        await this.unitOfWork.run(({ imports }) => imports.settle(id, settled), accountId);
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

  private async finish(nameImport: NameImport): Promise<NameImport> {
    const counts = await this.imports.counts(nameImport.id);
    const { id: importId, registry } = nameImport;
    this.log.info({ importId, registry, ...counts }, 'an import of names has finished');
    return this.end(nameImport, { status: 'finished' });
  }

  private async fail(nameImport: NameImport, error: string): Promise<NameImport> {
    this.log.warn(
      { importId: nameImport.id, registry: nameImport.registry, reason: error },
      'an import of names failed',
    );
    return this.end(nameImport, { status: 'failed', error });
  }

  private async end(
    nameImport: NameImport,
    outcome: Pick<NameImport, 'status'> & { readonly error?: string },
  ): Promise<NameImport> {
    const ended = this.changed(nameImport, { ...outcome, cursor: null, finishedAt: this.clock.now() });
    await this.unitOfWork.run(({ imports }) => imports.save(ended), nameImport.accountId);
    return ended;
  }

  private changed(nameImport: NameImport, part: Partial<NameImport>): NameImport {
    return { ...nameImport, ...part, updatedAt: this.clock.now() };
  }
}
