import { inject, injectable } from 'inversify';
import { isFinished, type NameImport } from '../../../domain/registrar/name-import';
import { ExclusiveLease } from '../../exclusive-lease';
import { Outage } from '../../outage';
import { settleAll } from '../../settle-all';
import { ImportReader } from '../../ports/registration/import-repository';
import { RegistryUnavailable } from '../../ports/registry/registry-errors';
import { Leases } from '../../ports/storage/leases';
import { Log } from '../../ports/system/log';
import { ImportSteps } from './import-steps';

const CHECK_EVERY_MS = 1_000;
const CONFIRM_EVERY_MS = 5_000;
const IMPORTS_AT_ONCE = 10;

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
  private stopping = new AbortController();

  constructor(
    @inject(ImportReader) private readonly imports: ImportReader,
    @inject(ImportSteps) private readonly steps: ImportSteps,
    @inject(Leases) leases: Leases,
    @inject(Log) private readonly log: Log,
  ) {
    this.lease = new ExclusiveLease(leases, 'imports');
    this.outage = new Outage(log, 'importing names');
  }

  start(): void {
    this.stopping = new AbortController();
    this.timers = [setInterval(() => void this.run(), CHECK_EVERY_MS)];
    for (const timer of this.timers) timer.unref();
  }

  /** Waits for the calls to the registry that are in progress. */
  async stop(): Promise<void> {
    this.stopping.abort();
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
    const { signal } = this.stopping;
    try {
      let current = nameImport;
      while (!isFinished(current) && !signal.aborted) current = await this.steps.next(current, signal);
    } catch (error) {
      if (!(error instanceof RegistryUnavailable)) throw error;
      this.log.info({ importId: nameImport.id, err: error }, 'an import waits for its registry');
    }
  }
}
