import { IsArray, IsString } from 'class-validator';
import { inject, injectable } from '../../../../application/ports/inject';
import { ChangeTags } from '../../../../application/portfolio/change-tags';
import { DOMAIN_FILTERS, DomainFilters } from '../../../../application/portfolio/domain-filters';
import { FindBulkJob, type BulkReport } from '../../../../application/portfolio/bulk/find-bulk-job';
import { RetryBulkJob } from '../../../../application/portfolio/bulk/retry-bulk-job';
import { StartBulkJob, type BulkSelection } from '../../../../application/portfolio/bulk/start-bulk-job';
import { StartBulkRegistrations } from '../../../../application/portfolio/bulk/start-bulk-registrations';
import { StartBulkZoneFiles } from '../../../../application/portfolio/zone-files/start-bulk-zone-files';
import { StartBulkTransfers } from '../../../../application/portfolio/transfers/start-bulk-transfers';
import {
  isOrder,
  type BulkAction,
  type BulkJob,
  type BulkItem,
  type BulkDomainAction,
} from '../../../../domain/portfolio/bulk-job';
import type { Domain } from '../../../../domain/registration/domain';
import type { Money } from '../../../../domain/shared/money';
import { ValidationError } from '../../../../domain/shared/validation-error';
import { ok, type ApiResult, type JsonResult } from '../../../shared/result';
import type { ApiRequest, WriteRequest } from '../../api-request';
import { parseTime, assertNoMembers, validated } from '../../validated';
import { readBulkBody, type BulkBody, type BulkRegistrationBody, type BulkTransferBody } from './bulk-body';
import { toRegistrant, type ContactsBody } from '../registration/contacts';
import { toTemplateValues } from '../dns/templates';
import { domainFilter, changedDomain } from '../registration/domains';
import { toMaxPrice, toPriceLimit } from '../registration/registration';

export class TagsBody {
  @IsArray() @IsString({ each: true }) tags!: string[];
}

const ACTIONS: {
  readonly [Kind in BulkDomainAction['kind']]: (body: BulkBody) => Extract<BulkDomainAction, { kind: Kind }>;
} = {
  auto_renewal: ({ auto_renew: autoRenew = false }) => ({ kind: 'auto_renewal', autoRenew }),
  transfer_lock: ({ transfer_locked: locked = false }) => ({ kind: 'transfer_lock', locked }),
  nameservers: ({ nameservers: hosts = [] }) => ({ kind: 'nameservers', hosts }),
  renewal: (body) => ({ kind: 'renewal', years: body.years, ...priceOfEach(body) }),
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

/** What is said of single domains, by their ids. @throws ValidationError */
function ofDomains<T>(
  body: BulkBody,
  member: 'current_expiry' | 'max_price',
  read: (value: unknown, path: string) => T,
): ReadonlyMap<string, T> {
  const ids = new Set(body.domains);
  return new Map(
    Object.entries(body[member] ?? {}).map(([id, value]) => {
      if (!ids.has(id)) throw ValidationError.of(member, 'must have ids of `domains` only');
      return [id, read(value, `${member}.${id}`)];
    }),
  );
}

/** The most that each order costs, unless its own limit says otherwise. @throws ValidationError */
function priceOfEach({ max_price_each: given }: BulkBody): { readonly maxPrice?: Money } {
  return given ? { maxPrice: toMaxPrice(given, 'max_price_each') } : {};
}

function ordersOf(orders: readonly (BulkTransferBody & BulkRegistrationBody)[], body: BulkBody) {
  return orders.map(({ name, auth_code: authCode, years, max_price, idn_language: idnLanguage }) => ({
    name,
    authCode,
    years,
    idnLanguage,
    ...(max_price ? toPriceLimit({ max_price }) : priceOfEach(body)),
  }));
}

const LATEST = 50;

/** Jobs that change many domains, and the tags of one. */
@injectable()
export class BulkController {
  constructor(
    @inject(DomainFilters) private readonly filters: DomainFilters,
    @inject(StartBulkJob) private readonly startJob: StartBulkJob,
    @inject(StartBulkRegistrations) private readonly startRegistrations: StartBulkRegistrations,
    @inject(StartBulkTransfers) private readonly startTransfers: StartBulkTransfers,
    @inject(StartBulkZoneFiles) private readonly startZoneFiles: StartBulkZoneFiles,
    @inject(FindBulkJob) private readonly findJob: FindBulkJob,
    @inject(RetryBulkJob) private readonly retryJob: RetryBulkJob,
    @inject(ChangeTags) private readonly changeTags: ChangeTags,
  ) {}

  async start(request: WriteRequest): Promise<JsonResult> {
    const body = readBulkBody(request.body);
    if (body.action === 'transfer' || body.action === 'registration') return this.order(request, body);
    if (body.action === 'zone_files') return this.importZoneFiles(request, body);
    const command = {
      ...request.caller,
      action: ACTIONS[body.action](body),
      currentExpiries: ofDomains(body, 'current_expiry', (time, path) =>
        parseTime(path, typeof time === 'string' ? time : ''),
      ),
      maxPrices: ofDomains(body, 'max_price', toMaxPrice),
      selection: await this.readSelection(request, body),
    };
    return accepted(await this.startJob.execute(command, request.storing(accepted)));
  }

  private async order(request: WriteRequest, body: BulkBody): Promise<JsonResult> {
    const { action, transfers = [], registrations = [], contacts, auto_renew: autoRenew, nameservers } = body;
    assertNoSelection(body);
    const registrant = toRegistrant((contacts as ContactsBody).registrant);
    const settings = { ...request.caller, registrant, autoRenew };
    const job =
      action === 'transfer'
        ? this.startTransfers.execute({ ...settings, orders: ordersOf(transfers, body) }, request.storing(accepted))
        : this.startRegistrations.execute(
            { ...settings, nameservers, orders: ordersOf(registrations, body) },
            request.storing(accepted),
          );
    return accepted(await job);
  }

  private async importZoneFiles(request: WriteRequest, body: BulkBody): Promise<JsonResult> {
    assertNoSelection(body);
    const { zone_files: files = [], mode, provider_records: others } = body;
    const command = { ...request.caller, files, mode, withProviderRecords: others === 'include' };
    return accepted(await this.startZoneFiles.execute(command, request.storing(accepted)));
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
    try {
      assertParameters(filter);
      return { filter: await domainFilter(this.filters, { caller, query: filter }) };
    } catch (error) {
      throw error instanceof ValidationError ? error.within('filter') : error;
    }
  }
}

/** Of a job that names what it is for. @throws ValidationError */
function assertNoSelection(body: BulkBody): void {
  const misplaced = (['domains', 'filter'] as const).find((member) => body[member] !== undefined);
  if (misplaced) throw ValidationError.of(misplaced, `does not belong to ${body.action}`);
}

/** @throws ValidationError */
function assertParameters(filter: Readonly<Record<string, unknown>>): void {
  const issues = Object.entries(filter).flatMap(([path, value]) => {
    if (!DOMAIN_FILTERS.some((name) => name === path))
      return [{ path, message: `is unknown: the members are ${DOMAIN_FILTERS.join(', ')}` }];
    return typeof value === 'string' ? [] : [{ path, message: 'must be a string' }];
  });
  if (issues.length > 0) throw new ValidationError(issues);
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
    failures: failures.map((item) => failure(item, job.action)),
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

/** The item of a transfer has the id of the transfer, and no domain or operation; that of a registration has an operation. */
function failure({ domainId, name, operationId, error }: BulkItem, action: BulkAction): object {
  // The dashboard's own code means the same for a user as this one for a key.
  const code = error?.code === 'ROLE_FORBIDS' ? 'INSUFFICIENT_SCOPE' : (error?.code ?? 'INTERNAL_ERROR');
  return {
    domain_id: isOrder(action) ? '' : domainId,
    name,
    operation_id: action.kind === 'transfer' ? '' : operationId,
    ...(action.kind === 'transfer' && { transfer_id: domainId }),
    error: { code, message: error?.message ?? '', ...(error?.details && { details: error.details }) },
  };
}
