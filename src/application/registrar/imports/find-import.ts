import { inject, injectable } from '../../ports/inject';
import { actorText, type Reader } from '../../../domain/access/actor';
import { assertActionAllowed, seesSomeDomains } from '../../../domain/access/key-permissions';
import { ImportNotFound } from '../../../domain/registration/registration-errors';
import type { ImportCounts, ImportedName, NameImport } from '../../../domain/registrar/name-import';
import { ImportReader } from '../../ports/registration/imports-and-reconciliation';

const MAX_FAILURES = 100;

export interface ImportReport {
  readonly nameImport: NameImport;
  readonly counts: ImportCounts;
  /** The first hundred names that failed. */
  readonly failures: readonly ImportedName[];
}

/** Reads the progress of an import. A key for some domains sees only what it began. @throws ImportNotFound, LimitedKey */
@injectable()
export class FindImport {
  constructor(@inject(ImportReader) private readonly imports: ImportReader) {}

  async execute({ accountId, actor, importId }: Reader & { importId: string }): Promise<ImportReport> {
    const nameImport = await this.imports.find(accountId, importId);
    const isOwn = nameImport !== undefined && actorText(nameImport.actor) === actorText(actor);
    if (!isOwn) assertActionAllowed(actor, 'read');
    if (!nameImport || (!isOwn && seesSomeDomains(actor))) throw new ImportNotFound();
    return this.report(nameImport);
  }

  /** Of the account, newest first. */
  async latest(accountId: string, limit: number): Promise<readonly ImportReport[]> {
    const found = await this.imports.latest(accountId, limit);
    return Promise.all(found.map((each) => this.report(each)));
  }

  private async report(nameImport: NameImport): Promise<ImportReport> {
    const [counts, failures] = await Promise.all([
      this.imports.counts(nameImport.id),
      this.imports.failures(nameImport.id, MAX_FAILURES),
    ]);
    return { nameImport, counts, failures };
  }
}
