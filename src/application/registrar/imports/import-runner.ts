import { inject, injectable } from 'inversify';
import { isFinished, type NameImport } from '../../../domain/registrar/name-import';
import { LeasedJobs } from '../../leased-jobs';
import { ImportReader } from '../../ports/registration/import-repository';
import { RegistryUnavailable } from '../../ports/registry/registry-errors';
import { Leases } from '../../ports/storage/leases';
import { Log } from '../../ports/system/log';
import { ImportSteps } from './import-steps';

/**
 * Adopts the names of imports in the background, in one process at a time. Each name is stored with its outcome in one
 * transaction, so that an import continues where it was after a crash and adopts nothing twice.
 */
@injectable()
export class ImportRunner {
  private readonly jobs: LeasedJobs<NameImport>;

  constructor(
    @inject(ImportReader) imports: ImportReader,
    @inject(ImportSteps) private readonly steps: ImportSteps,
    @inject(Leases) leases: Leases,
    @inject(Log) private readonly log: Log,
  ) {
    this.jobs = new LeasedJobs(
      {
        name: 'imports',
        work: 'importing names',
        unfinished: (limit) => imports.unfinished(limit),
        continue: (nameImport, stopping) => this.continue(nameImport, stopping),
      },
      leases,
      log,
    );
  }

  start(): void {
    this.jobs.start();
  }

  /** Waits for the calls to the registry that are in progress. */
  async stop(): Promise<void> {
    await this.jobs.stop();
  }

  /** Continues all imports until they end or their registry does not respond. Returns the running call, if any; throws nothing. */
  run(): Promise<void> {
    return this.jobs.run();
  }

  private async continue(nameImport: NameImport, stopping: AbortSignal): Promise<void> {
    try {
      let current = nameImport;
      while (!isFinished(current) && !stopping.aborted) current = await this.steps.next(current, stopping);
    } catch (error) {
      if (!(error instanceof RegistryUnavailable)) throw error;
      this.log.info({ importId: nameImport.id, err: error }, 'an import waits for its registry');
    }
  }
}
