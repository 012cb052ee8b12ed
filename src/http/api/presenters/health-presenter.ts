import type { DomainHealth } from '../../../application/health/read-health';
import type { HealthCheck } from '../../../domain/health/health-check';
import type { ServerLight } from '../../../domain/health/health-report';

/** `state` and `checked_at` are null before the first check. */
export function domainHealth({ domain, report }: DomainHealth, note: string | null): object {
  return {
    domain_id: domain.id,
    state: report?.state ?? null,
    checked_at: report?.checkedAt.toISOString() ?? null,
    checks: (report?.checks ?? []).map(check),
    servers: (report?.servers ?? []).map(server),
    note,
  };
}

function check({ id, state, summary, evidence, advice, action }: HealthCheck): object {
  return { id, state, summary, evidence: [...evidence], advice, action };
}

function server({ kind, name, state, serial, note }: ServerLight): object {
  return { kind, name, state, serial, note };
}
