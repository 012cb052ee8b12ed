import type { BulkReport } from '../../../application/portfolio/find-bulk-job';
import type { BulkItem, BulkJob } from '../../../domain/portfolio/bulk-job';

export function shownBulkJob({ job, counts, failures, isUndoable }: BulkReport): object {
  return {
    id: job.id,
    action: job.action.kind,
    status: job.finishedAt ? 'finished' : 'running',
    total: job.total,
    done: counts.done,
    failed: counts.failed,
    waiting: counts.waiting,
    failures: failures.map(failure),
    undoable: isUndoable,
    undoes: job.undoes,
    created_at: job.createdAt.toISOString(),
    updated_at: job.updatedAt.toISOString(),
    finished_at: job.finishedAt?.toISOString() ?? null,
  };
}

/** A job whose domains all wait. */
export function startedBulkJob(job: BulkJob): object {
  return shownBulkJob({ job, counts: { waiting: job.total, done: 0, failed: 0 }, failures: [], isUndoable: false });
}

function failure({ domainId, name, operationId, error }: BulkItem): object {
  // The dashboard's own code means the same for a user as this one for a key.
  const code = error?.code === 'ROLE_FORBIDS' ? 'INSUFFICIENT_SCOPE' : (error?.code ?? 'INTERNAL_ERROR');
  return {
    domain_id: domainId,
    name,
    operation_id: operationId,
    error: { code, message: error?.message ?? '', ...(error?.details && { details: error.details }) },
  };
}
