import type { ImportReport } from '../../../application/registrar/imports/find-import';
import type { NameImport } from '../../../domain/registrar/name-import';

const NOTHING_YET = { waiting: 0, imported: 0, present: 0, failed: 0 };

export function shownImport({ nameImport, counts, failures }: ImportReport): object {
  const { waiting, imported, present, failed } = counts;
  return {
    ...identityOf(nameImport),
    total: nameImport.status === 'listing' ? null : waiting + imported + present + failed,
    imported,
    present,
    failed,
    failures: failures.map(({ name, reason }) => ({ name, reason: reason ?? '' })),
    error: nameImport.error,
    created_at: nameImport.createdAt.toISOString(),
    updated_at: nameImport.updatedAt.toISOString(),
    finished_at: nameImport.finishedAt?.toISOString() ?? null,
  };
}

export function startedImport(nameImport: NameImport, total: number | null): object {
  const shown = shownImport({ nameImport, counts: NOTHING_YET, failures: [] });
  return { ...shown, total };
}

/** While the registry's list is read, the import is running, too. */
function identityOf({ id, registry, status }: NameImport): object {
  return { id, registry, status: status === 'listing' ? 'running' : status };
}
