import { ApplyState, type PlannedState } from '../../../../application/desired-state/apply-state';
import { ListDrifted, type DriftedState } from '../../../../application/desired-state/list-drifted';
import { ReadState, type StateReport } from '../../../../application/desired-state/read-state';
import { ZoneFileState } from '../../../../application/desired-state/zone-file-state';
import { parseZoneName } from '../../../../domain/dns/zone-names/zone-name';
import { DomainNotFound } from '../../../../domain/shared/domain-errors';
import { parameter } from '../../validated';
import { inject, injectable } from '../../../../application/ports/inject';
import { ValidationError } from '../../../../domain/shared/validation-error';
import { ok, type ApiResult, type JsonResult, type ResultHeaders } from '../../../shared/result';
import type { ApiRequest, WriteRequest } from '../../api-request';
import { DEFAULT_LIMIT, pageRequest, pageResult, positionCursor } from '../../list-query';
import { isDryRun, dnsRecord, unwritten } from '../dns/zone-changes';
import { documentState, isFormat, namedStates, ownerOf, STATE_FORMATS } from '../../states/state-documents';
import { isEmptyPlan, type StatePlan, type StateVersions } from '../../../../application/desired-state/state-plan';
import type { Actor } from '../../../../domain/access/actor';
import { zoneIdOf } from '../../../../domain/dns/zone-id';
import type { RecordDraft } from '../../../../domain/dns/records/dns-record';
import { SETTING_PATHS, type DesiredState, type SettingChange } from '../../../../domain/portfolio/desired-state';
import type { Operation } from '../../../../domain/registration/operations/operation';
import type { Registrant } from '../../../../domain/registration/registrant';
import { ServiceError } from '../../../../domain/shared/service-error';
import { majorUnits } from '../../../../domain/shared/money';
import { LongList } from '../../../shared/long-list';
import { shortRegistrant } from '../registration/domains';

/** What a name is to be like, in one document. */
@injectable()
export class StatesController {
  constructor(
    @inject(ApplyState) private readonly applyState: ApplyState,
    @inject(ReadState) private readonly readState: ReadState,
    @inject(ListDrifted) private readonly listDrifted: ListDrifted,
    @inject(ZoneFileState) private readonly zoneFiles: ZoneFileState,
  ) {}

  async read({ caller, params }: ApiRequest<'name'>): Promise<ApiResult> {
    const report = await this.readState.execute({ ...caller, name: params.name });
    return { ...ok(stateReport(report)), isLong: true };
  }

  /** The names that drifted. */
  async drifted(request: ApiRequest): Promise<ApiResult> {
    const { limit, after } = pageRequest(request) ?? { limit: DEFAULT_LIMIT };
    const { items, next: last } = await this.listDrifted.page(request.caller, limit, after);
    return pageResult({ request, filters: [], items, last, limit, cursorOf: positionCursor }, driftedState);
  }

  async put(request: WriteRequest<'name'>): Promise<JsonResult> {
    const { caller, params } = request;
    const state = await this.stateIn(request);
    const command = { ...caller, name: params.name, state, expected: expectedVersions(request) };
    if (isDryRun(request)) return toResult(await this.applyState.plan(command), true);
    const applied = (plan: StatePlan) => toResult(plan, false);
    return applied(await this.applyState.execute(command, request.storing(applied)));
  }

  /** A text is a zone file; `format` tells what JSON and YAML are. @throws ValidationError, ItemsRejected */
  private async stateIn(request: WriteRequest<'name'>): Promise<DesiredState> {
    const { caller, params, body } = request;
    const format = parameter(request, 'format') ?? 'state';
    if (!isFormat(format)) throw ValidationError.of('format', `must be ${STATE_FORMATS.join(' or ')}`);
    const managedBy = parameter(request, 'managed_by');
    if (typeof body !== 'string') return documentState({ body, format, managedBy }, caller.accountId);
    if (format !== 'state') throw ValidationError.of('format', 'must not be octodns for a zone file');
    const owner = ownerOf(managedBy);
    return { records: { owner, ...(await this.zoneFiles.read(nameOf(params.name), body, caller.accountId)) } };
  }

  /** Plans of many names: one that has none has its error. */
  async plan({ caller, body }: ApiRequest): Promise<JsonResult> {
    const states = await namedStates(body, caller.accountId);
    const planned = await this.applyState.planEach(caller, states);
    return { ...ok({ plans: planned.map(plannedState) }), isLong: true };
  }
}

function toResult(plan: StatePlan, isPlanOnly: boolean): JsonResult {
  return { ...ok(statePlan(plan, { isDryRun: isPlanOnly }), stateHeaders(plan.versions)), isLong: true };
}

/** @throws DomainNotFound for what is no name */
function nameOf(text: string): string {
  try {
    return parseZoneName(text);
  } catch (error) {
    if (error instanceof ValidationError) throw new DomainNotFound();
    throw error;
  }
}

/** As the ETag of a plan. */
const VERSIONS = /^"(\d{1,15})(?:\.([\w-]{1,100}))?"$/;

/** @throws ValidationError */
function expectedVersions({ headers }: Pick<ApiRequest, 'headers'>): StateVersions | undefined {
  const header = headers['if-match']?.trim();
  if (header === undefined || header === '*') return undefined;
  const [, zone, settings = null] = VERSIONS.exec(header) ?? [];
  if (zone === undefined) throw ValidationError.of('If-Match', 'must be the ETag of a plan, or *');
  return { zone: Number(zone), settings };
}

/** What a state changes, or has changed: the same members for both, but for `dry_run`. */
export function statePlan(plan: StatePlan, { isDryRun }: { readonly isDryRun: boolean }): object {
  const { name, domainId, change, settings, operations, cost, warnings, versions } = plan;
  const written = isDryRun ? unwritten : (record: Parameters<typeof unwritten>[0]) => dnsRecord(record.toState());
  return {
    ...(isDryRun && { dry_run: true }),
    name,
    zone_id: domainId === undefined ? null : zoneIdOf(domainId),
    empty: isEmptyPlan(plan),
    records: {
      added: new LongList(change.added, written),
      changed: new LongList(change.changed, ({ before, after }) => ({
        before: dnsRecord(before.toState()),
        after: written(after),
      })),
      removed: new LongList(change.removed, (record) => dnsRecord(record.toState())),
    },
    settings: settings.map(settingChange),
    operations: operations.map((operation) => stateOperation(operation, isDryRun)),
    cost: { amount: majorUnits(cost), currency: cost.currency },
    warnings,
    versions,
  };
}

/** One of many plans: what If-Match has when it is applied, or why there is none. */
export function plannedState({ name, outcome, isApplied }: PlannedState): object {
  if (outcome instanceof ServiceError)
    return { name, etag: null, plan: null, applied: false, error: shownError(outcome) };
  const plan = statePlan(outcome, { isDryRun: true });
  return { name, etag: etagOf(outcome.versions), plan, applied: isApplied, error: null };
}

/** The state that was applied last, as it would be sent again, and what has changed since. */
export function stateReport({ owner, stored, drift, invalid }: StateReport): object {
  return {
    name: owner.name,
    zone_id: zoneIdOf(owner.id),
    state: stored ? stateDocument(stored.state) : null,
    applied_at: stored?.appliedAt.toISOString() ?? null,
    applied_by: stored ? shownActor(stored.actor) : null,
    zone_version: stored?.zoneVersion ?? null,
    drift: drift ? statePlan(drift, { isDryRun: true }) : null,
    invalid: invalid ? shownError(invalid) : null,
  };
}

export function driftedState({ domainId, name, driftedAt, appliedAt, actor, zoneVersion }: DriftedState): object {
  return {
    name,
    zone_id: zoneIdOf(domainId),
    drifted_at: driftedAt.toISOString(),
    applied_at: appliedAt.toISOString(),
    applied_by: shownActor(actor),
    zone_version: zoneVersion,
  };
}

function shownActor(actor: Actor): object {
  return { kind: actor.kind, id: 'id' in actor ? actor.id : null };
}

function shownError({ code, message, details }: ServiceError): object {
  return { code, message, details: details ?? null };
}

function stateDocument({ records, settings = {}, registration }: DesiredState): object {
  const { contact, dnssec, nameservers, transferLocked, autoRenew, tags } = settings;
  const maxPrice = registration && {
    amount: majorUnits(registration.maxPrice),
    currency: registration.maxPrice.currency,
  };
  return {
    managed_by: records?.owner,
    records: records && new LongList(records.records, stateRecord),
    nameservers,
    registrant: contact === undefined ? undefined : { contact },
    transfer_locked: transferLocked,
    auto_renew: autoRenew,
    tags,
    dnssec,
    register: registration && true,
    max_price: maxPrice,
    years: registration?.years,
  };
}

function stateRecord({
  type,
  name,
  content,
  ttl,
  priority,
  weight,
  port,
  comment,
  managedBy,
  ptr,
}: RecordDraft): object {
  return { type, name, content, ttl, priority, weight, port, comment, managed_by: managedBy, ptr };
}

/** For If-Match when the plan is applied. */
export function stateHeaders(versions: StateVersions): ResultHeaders {
  return { ETag: etagOf(versions) };
}

function etagOf({ zone, settings }: StateVersions): string {
  return `"${zone}${settings === null ? '' : `.${settings}`}"`;
}

function settingChange({ name, before, after }: SettingChange): object {
  const shown = (value: SettingChange['before']) =>
    name === 'registrant' && value !== null ? shortRegistrant(value as Registrant) : value;
  return { setting: SETTING_PATHS[name], before: shown(before), after: shown(after) };
}

/** A planned operation has no id yet. */
function stateOperation(operation: Operation, isPlanned: boolean): object {
  const { id, kind, request } = operation;
  const price =
    'price' in request && request.price
      ? { amount: majorUnits(request.price), currency: request.price.currency }
      : null;
  return { kind, id: isPlanned ? null : id, price };
}
