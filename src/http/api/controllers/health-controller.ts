import { inject, injectable } from '../../../application/ports/inject';
import { CheckHealth } from '../../../application/health/check-health';
import { ReadHealth } from '../../../application/health/read-health';
import { ok, type ApiResult } from '../../shared/result';
import type { ApiRequest } from '../api-request';
import { assertNoMembers } from '../dto/validated';
import { domainHealth } from '../presenters/health-presenter';

/** Whether a domain works: the last result of its checks, and checks on demand. */
@injectable()
export class HealthController {
  constructor(
    @inject(ReadHealth) private readonly readHealth: ReadHealth,
    @inject(CheckHealth) private readonly checkHealth: CheckHealth,
  ) {}

  async read({ caller, params }: ApiRequest<'id'>): Promise<ApiResult> {
    return ok(domainHealth(await this.readHealth.execute({ ...caller, domainId: params.id })));
  }

  async check({ caller, params, body }: ApiRequest<'id'>): Promise<ApiResult> {
    assertNoMembers(body);
    return ok(domainHealth(await this.checkHealth.execute({ ...caller, domainId: params.id })));
  }
}
