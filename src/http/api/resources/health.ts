import { inject, injectable, optional } from '../../../application/ports/inject';
import { CheckHealth } from '../../../application/health/check-health';
import { ReadHealth, type DomainHealth } from '../../../application/health/read-health';
import { RegistrySandbox } from '../../../application/ports/registry/registry-sandbox';
import type { HealthCheck } from '../../../domain/health/health-check';
import type { ServerLight } from '../../../domain/health/health-report';
import { ok, type ApiResult } from '../../shared/result';
import { SANDBOX_HEALTH } from '../../shared/sandbox-health';
import type { ApiRequest } from '../api-request';
import { assertNoMembers } from '../validated';

/** Whether a domain works: the last result of its checks, and checks on demand. */
@injectable()
export class HealthController {
  constructor(
    @inject(ReadHealth) private readonly readHealth: ReadHealth,
    @inject(CheckHealth) private readonly checkHealth: CheckHealth,
    @inject(RegistrySandbox) @optional() private readonly sandbox?: RegistrySandbox,
  ) {}

  async read({ caller, params }: ApiRequest<'id'>): Promise<ApiResult> {
    return ok(domainHealth(await this.readHealth.execute({ ...caller, domainId: params.id }), this.note));
  }

  async check({ caller, params, body }: ApiRequest<'id'>): Promise<ApiResult> {
    assertNoMembers(body);
    return ok(domainHealth(await this.checkHealth.execute({ ...caller, domainId: params.id }), this.note));
  }

  private get note(): string | null {
    return this.sandbox ? SANDBOX_HEALTH : null;
  }
}

/** `state` and `checked_at` are null before the first check. */
function domainHealth({ domain, report }: DomainHealth, note: string | null): object {
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
