import { ApplyState } from '../../../../application/desired-state/apply-state';
import { ListDrifted } from '../../../../application/desired-state/list-drifted';
import { ReadState } from '../../../../application/desired-state/read-state';
import type { StatePlan, StateVersions } from '../../../../application/desired-state/state-plan';
import { ZoneFileState } from '../../../../application/desired-state/zone-file-state';
import { parseZoneName } from '../../../../domain/dns/zone-names/zone-name';
import type { DesiredState } from '../../../../domain/portfolio/desired-state';
import { DomainNotFound } from '../../../../domain/shared/domain-errors';
import { parameter } from '../../validated';
import { inject, injectable } from '../../../../application/ports/inject';
import { ValidationError } from '../../../../domain/shared/validation-error';
import { ok, type ApiResult, type JsonResult } from '../../../shared/result';
import type { ApiRequest, WriteRequest } from '../../api-request';
import { DEFAULT_LIMIT, pageRequest, pageResult, positionCursor } from '../../list-query';
import { isDryRun } from '../dns/zone-changes';
import { documentState, isFormat, namedStates, ownerOf, STATE_FORMATS } from './state-documents';
import { driftedState, plannedState, stateHeaders, statePlan, stateReport } from './state-presenter';

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
