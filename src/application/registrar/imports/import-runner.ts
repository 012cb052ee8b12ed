import { inject, injectable } from '../../ports/inject';
import { isImportFinished, type NameImport } from '../../../domain/registrar/name-import';
import { LeasedJobs } from '../../shared/leases/leased-jobs';
import { Outage } from '../../shared/outage';
import { ImportReader } from '../../ports/registration/imports-and-reconciliation';
import { RegistryUnavailable } from '../../ports/registry/registry-errors';
import { Leases } from '../../ports/storage/replicas';
import { Log } from '../../ports/system';
import { ImportSteps } from './import-steps';

/**
 * Adopts the names of imports in the background, in one process at a time. Each name is stored with its outcome in one
 * transaction, so that an import continues where it was after a crash and adopts nothing twice.
 */
@injectable()
export class ImportRunner extends LeasedJobs<NameImport> {
  constructor(
    @inject(ImportReader) private readonly imports: ImportReader,
    @inject(ImportSteps) private readonly steps: ImportSteps,
    @inject(Leases) leases: Leases,
    @inject(Log) private readonly log: Log,
  ) {
    super(leases, 'imports', new Outage(log, 'importing names'));
  }

  protected unfinished(limit: number): Promise<readonly NameImport[]> {
    return this.imports.unfinished(limit);
  }

  /** Until the import ends or its registry does not respond. */
  protected async continue(nameImport: NameImport, stopping: AbortSignal): Promise<void> {
    try {
      let current = nameImport;
      while (!isImportFinished(current) && !stopping.aborted) current = await this.steps.advance(current, stopping);
    } catch (error) {
      if (!(error instanceof RegistryUnavailable)) throw error;
      this.log.info({ importId: nameImport.id, err: error }, 'an import waits for its registry');
    }
  }
}
