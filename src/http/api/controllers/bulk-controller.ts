import { inject, injectable } from '../../../application/ports/inject';
import { DOMAIN_FILTERS, DomainFilters } from '../../../application/portfolio/domain-filters';
import { ChangeTags } from '../../../application/portfolio/change-tags';
import { FindBulkJob, type BulkReport } from '../../../application/portfolio/find-bulk-job';
import { RetryBulkJob } from '../../../application/portfolio/retry-bulk-job';
import { StartBulkJob, type BulkSelection } from '../../../application/portfolio/start-bulk-job';
import type { BulkJob } from '../../../domain/portfolio/bulk-job';
import type { Domain } from '../../../domain/registration/domain';
import { ValidationError } from '../../../domain/shared/validation-error';
import { ok, type ApiResult, type JsonResult } from '../../shared/result';
import type { ApiRequest, WriteRequest } from '../api-request';
import { BulkBody, toBulkAction, toCurrentExpiries } from '../dto/bulk-bodies';
import { domainFilter } from '../dto/domain-filter';
import { TagsBody } from '../dto/domain-bodies';
import { assertNoMembers, KnownParameters, validated } from '../dto/validated';
import { shownBulkJob, startedBulkJob } from '../presenters/bulk-presenter';
import { changedDomain } from '../presenters/domain-presenter';

const LATEST = 50;
const FILTER_PARAMETERS = new KnownParameters(DOMAIN_FILTERS);

/** Jobs that change many domains, and the tags of one. */
@injectable()
export class BulkController {
  constructor(
    @inject(DomainFilters) private readonly filters: DomainFilters,
    @inject(StartBulkJob) private readonly startJob: StartBulkJob,
    @inject(FindBulkJob) private readonly findJob: FindBulkJob,
    @inject(RetryBulkJob) private readonly retryJob: RetryBulkJob,
    @inject(ChangeTags) private readonly changeTags: ChangeTags,
  ) {}

  async start(request: WriteRequest): Promise<JsonResult> {
    const body = validated(BulkBody, request.body);
    const command = {
      ...request.caller,
      action: toBulkAction(body),
      currentExpiries: toCurrentExpiries(body),
      selection: await this.selectionOf(request, body),
    };
    return accepted(await this.startJob.execute(command, request.storing(accepted)));
  }

  async list({ caller }: ApiRequest): Promise<ApiResult> {
    return ok((await this.findJob.latest(caller, LATEST)).map(shownBulkJob));
  }

  async read({ caller, params }: ApiRequest<'id'>): Promise<ApiResult> {
    return ok(shownBulkJob(await this.findJob.execute({ ...caller, jobId: params.id })));
  }

  async retry(request: WriteRequest<'id'>): Promise<JsonResult> {
    assertNoMembers(request.body);
    const command = { ...request.caller, jobId: request.params.id };
    return retried(await this.retryJob.execute(command, request.storing(retried)));
  }

  async undo(request: WriteRequest<'id'>): Promise<JsonResult> {
    assertNoMembers(request.body);
    const command = { ...request.caller, jobId: request.params.id };
    return accepted(await this.retryJob.undo(command, request.storing(accepted)));
  }

  async putTags(request: WriteRequest<'id'>): Promise<JsonResult> {
    const { tags } = validated(TagsBody, request.body);
    const command = { ...request.caller, domainId: request.params.id, tags };
    return tagged(await this.changeTags.execute(command, request.storing(tagged)));
  }

  /** @throws ValidationError unless either `domains` or a `filter` of known parameters is given */
  private async selectionOf({ caller }: WriteRequest, { domains, filter }: BulkBody): Promise<BulkSelection> {
    if (domains && !filter) return { ids: domains };
    if (domains || !filter) throw ValidationError.of('domains', 'must be given, or filter in its place');
    FILTER_PARAMETERS.assert(filter);
    return { filter: await domainFilter(this.filters, { caller, query: filter }) };
  }
}

function accepted(job: BulkJob): JsonResult {
  return { status: 202, headers: {}, body: startedBulkJob(job) };
}

function retried(report: BulkReport): JsonResult {
  return { status: 202, headers: {}, body: shownBulkJob(report) };
}

function tagged(domain: Domain): JsonResult {
  const state = domain.toState();
  return ok(changedDomain(state, { tags: state.tags }));
}
