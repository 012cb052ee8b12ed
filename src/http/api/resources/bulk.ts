import { Type } from 'class-transformer';
import { IsArray, IsBoolean, IsIn, IsInt, IsObject, IsString, ValidateNested } from 'class-validator';
import { inject, injectable } from '../../../application/ports/inject';
import { ChangeTags } from '../../../application/portfolio/change-tags';
import { DOMAIN_FILTERS, DomainFilters } from '../../../application/portfolio/domain-filters';
import { FindBulkJob, type BulkReport } from '../../../application/portfolio/find-bulk-job';
import { RetryBulkJob } from '../../../application/portfolio/retry-bulk-job';
import { StartBulkJob, type BulkSelection } from '../../../application/portfolio/start-bulk-job';
import type { BulkAction, BulkKind, BulkJob, BulkItem } from '../../../domain/portfolio/bulk-job';
import type { Domain } from '../../../domain/registration/domain';
import { ValidationError } from '../../../domain/shared/validation-error';
import { ok, type ApiResult, type JsonResult } from '../../shared/result';
import type { ApiRequest, WriteRequest } from '../api-request';
import { Optional, parseTime, assertNoMembers, KnownParameters, validated } from '../validated';
import { ContactsBody, toRegistrant } from './contacts';
import { toTemplateValues } from './dns/templates';
import { domainFilter, changedDomain } from './domains';

class TagsBody {
  @IsArray() @IsString({ each: true }) tags!: string[];
}

const KINDS: readonly BulkKind[] = [
  'auto_renewal',
  'transfer_lock',
  'nameservers',
  'renewal',
  'registrant',
  'tags',
  'template',
];

class BulkBody {
  @IsIn(KINDS) action!: BulkKind;
  @Optional() @IsArray() @IsString({ each: true }) domains?: string[];
  /** Query parameters of `GET /api/domains`. */
  @Optional() @IsObject() filter?: Record<string, unknown>;
  @Optional() @IsBoolean() auto_renew?: boolean;
  @Optional() @IsBoolean() transfer_locked?: boolean;
  @Optional() @IsArray() @IsString({ each: true }) nameservers?: string[];
  @Optional() @IsInt() years?: number;
  /** By the id of the domain. */
  @Optional() @IsObject() current_expiry?: Record<string, unknown>;
  @Optional() @IsObject() @ValidateNested() @Type(() => ContactsBody) contacts?: ContactsBody;
  @Optional() @IsArray() @IsString({ each: true }) add_tags?: string[];
  @Optional() @IsArray() @IsString({ each: true }) remove_tags?: string[];
  @Optional() @IsString() template?: string;
  @Optional() @IsObject() values?: Record<string, unknown>;
}

type Member = Exclude<keyof BulkBody, 'action' | 'domains' | 'filter'>;

/** What each action takes besides the domains; those in brackets may be absent. */
const MEMBERS: Readonly<
  Record<BulkKind, { readonly required: readonly Member[]; readonly optional: readonly Member[] }>
> = {
  auto_renewal: { required: ['auto_renew'], optional: [] },
  transfer_lock: { required: ['transfer_locked'], optional: [] },
  nameservers: { required: ['nameservers'], optional: [] },
  renewal: { required: [], optional: ['years', 'current_expiry'] },
  registrant: { required: ['contacts'], optional: [] },
  tags: { required: [], optional: ['add_tags', 'remove_tags'] },
  template: { required: ['template'], optional: ['values'] },
};
const ALL_MEMBERS = Object.values(MEMBERS).flatMap(({ required, optional }) => [...required, ...optional]);

/** @throws ValidationError for members that the action lacks or does not take */
function toBulkAction(body: BulkBody): BulkAction {
  const { required, optional } = MEMBERS[body.action];
  const issues = [
    ...required
      .filter((member) => body[member] === undefined)
      .map((path) => ({ path, message: `is required for ${body.action}` })),
    ...ALL_MEMBERS.filter(
      (member) => body[member] !== undefined && !required.includes(member) && !optional.includes(member),
    ).map((path) => ({ path, message: `does not belong to ${body.action}` })),
  ];
  if (issues.length > 0) throw new ValidationError(issues);
  return ACTIONS[body.action](body);
}

const ACTIONS: { readonly [Kind in BulkKind]: (body: BulkBody) => Extract<BulkAction, { kind: Kind }> } = {
  auto_renewal: ({ auto_renew: autoRenew = false }) => ({ kind: 'auto_renewal', autoRenew }),
  transfer_lock: ({ transfer_locked: locked = false }) => ({ kind: 'transfer_lock', locked }),
  nameservers: ({ nameservers: hosts = [] }) => ({ kind: 'nameservers', hosts }),
  renewal: ({ years }) => ({ kind: 'renewal', years }),
  registrant: ({ contacts }) => ({
    kind: 'registrant',
    registrant: toRegistrant((contacts as ContactsBody).registrant),
  }),
  template: ({ template: templateId = '', values }) => ({
    kind: 'template',
    templateId,
    values: toTemplateValues(values),
  }),
  tags: ({ add_tags: add = [], remove_tags: remove = [] }) => ({ kind: 'tags', add, remove }),
};

/** The expiry that each domain is renewed from, for those that are named. @throws ValidationError */
function toCurrentExpiries({ domains = [], current_expiry: given = {} }: BulkBody): ReadonlyMap<string, Date> {
  const ids = new Set(domains);
  return new Map(
    Object.entries(given).map(([id, time]) => {
      if (!ids.has(id)) throw ValidationError.of('current_expiry', 'must have ids of `domains` only');
      return [id, parseTime(`current_expiry.${id}`, typeof time === 'string' ? time : '')];
    }),
  );
}

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
      selection: await this.readSelection(request, body),
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
  private async readSelection({ caller }: WriteRequest, { domains, filter }: BulkBody): Promise<BulkSelection> {
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

function shownBulkJob({ job, counts, failures, isUndoable }: BulkReport): object {
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
function startedBulkJob(job: BulkJob): object {
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
