import { inject, injectable, optional } from '../../../application/ports/inject';
import { CheckHealth } from '../../../application/health/check-health';
import { ReadHealth } from '../../../application/health/read-health';
import { RegistrySandbox } from '../../../application/ports/registry/registry-sandbox';
import { ok, type ApiResult } from '../../shared/result';
import { SANDBOX_HEALTH } from '../../shared/sandbox-health';
import type { ApiRequest } from '../api-request';
import { assertNoMembers } from '../dto/validated';
import { domainHealth } from '../presenters/health-presenter';

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
