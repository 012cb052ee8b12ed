import { Type } from 'class-transformer';
import { IsBoolean, IsObject, IsString, ValidateNested } from 'class-validator';
import { inject, injectable } from '../../../../application/ports/inject';
import {
  CreateZone,
  type CopiedRecords,
  type CreatedZone,
  type GivenZone,
} from '../../../../application/hosting/create-zone';
import { ChangeTags } from '../../../../application/portfolio/change-tags';
import { DeleteZone } from '../../../../application/hosting/delete-zone';
import { VerifyZone } from '../../../../application/hosting/verify-zone';
import {
  ReadZones,
  type ZoneFilter,
  type ZoneInList,
  type ZoneReport,
} from '../../../../application/hosting/read-zones';
import type { SortedPosition } from '../../../../application/ports/registration/domain-repository';
import { DELEGATION_STATES } from '../../../../domain/dns/delegation/delegation';
import { zoneIdOf } from '../../../../domain/dns/zone-id';
import { challengeOf, verificationEnd } from '../../../../domain/dns/zone-names/zone-ownership';
import { tagTerm } from '../../../../domain/portfolio/domain-terms';
import type { Domain } from '../../../../domain/registration/domain';
import { isHosted, ZONE_STATUSES } from '../../../../domain/registration/domain-status';
import { foldNamePart } from '../../../../domain/shared/idna';
import { normalizeTag, TAG_EXPECTATION } from '../../../../domain/shared/tags';
import { ValidationError } from '../../../../domain/shared/validation-error';
import { LongList } from '../../../shared/long-list';
import { ok, type ApiResult, type JsonResult } from '../../../shared/result';
import type { ApiRequest, WriteRequest } from '../../api-request';
import { TagsBody } from '../portfolio/bulk';
import { badCursor, DOMAIN_ID, pageResult, parseLimit } from '../../list-query';
import { Optional, parameter, validated } from '../../validated';
import { presentDsRecord } from './signing';
import { isDryRun, importReport, unwritten, warningsMember } from './zone-changes';
import { ZoneContentsBody, zoneContentsSource } from './zone-sources';

class ZoneBody {
  @Optional() @IsString() name?: string;
  @Optional() @IsString() network?: string;
  @Optional() @IsBoolean() move_records?: boolean;
  @Optional() @IsObject() @ValidateNested() @Type(() => ZoneContentsBody) from?: ZoneContentsBody;
}

class VerifyBody {
  @Optional() @IsBoolean() move_records?: boolean;
}

export const ZONE_FILTERS = ['name', 'kind', 'status', 'tag', 'delegation'] as const;

/** Zones of names with and without a registration here. Their routes have the id of the name in `params.id`. */
@injectable()
export class HostedZonesController {
  constructor(
    @inject(ReadZones) private readonly zones: ReadZones,
    @inject(CreateZone) private readonly createZone: CreateZone,
    @inject(VerifyZone) private readonly verifyZone: VerifyZone,
    @inject(ChangeTags) private readonly changeTags: ChangeTags,
    @inject(DeleteZone) private readonly deleteZone: DeleteZone,
  ) {}

  async list(request: ApiRequest): Promise<ApiResult> {
    const limit = parseLimit(parameter(request, 'limit'));
    const cursor = parameter(request, 'cursor');
    const after = cursor === undefined ? undefined : positionOf(cursor);
    const { items, next } = await this.zones.page(request.caller, zoneFilter(request), limit, after);
    return pageResult({ request, filters: ZONE_FILTERS, items, last: next, limit, cursorOf }, zoneInList);
  }

  async read({ caller, params }: ApiRequest<'id'>): Promise<ApiResult> {
    return ok(zoneReport(await this.zones.byId({ ...caller, domainId: params.id })));
  }

  async readByName({ caller, params }: ApiRequest<'name'>): Promise<ApiResult> {
    return ok(zoneReport(await this.zones.byName({ ...caller, name: params.name })));
  }

  async create(request: WriteRequest): Promise<JsonResult> {
    const { move_records: movesRecords = false, from: source, ...zone } = validated(ZoneBody, request.body);
    const from = source && zoneContentsSource(source);
    const command = { ...request.caller, zone: givenZone(zone), movesRecords, from };
    if (isDryRun(request)) return ok(zoneToCreate(await this.createZone.plan(command)));
    return created(await this.createZone.execute(command, request.storing(created)));
  }

  async verify(request: WriteRequest<'id'>): Promise<JsonResult> {
    const { move_records: movesRecords = false } = validated(VerifyBody, request.body ?? {});
    const command = { ...request.caller, domainId: request.params.id, movesRecords };
    return verified(await this.verifyZone.execute(command, request.storing(verified)));
  }

  async putTags(request: WriteRequest<'id'>): Promise<JsonResult> {
    const { tags } = validated(TagsBody, request.body);
    const command = { ...request.caller, domainId: request.params.id, tags };
    return tagged(await this.changeTags.execute(command, request.storing(tagged)));
  }

  async remove(request: WriteRequest<'id'>): Promise<JsonResult> {
    const { id } = request.params;
    const deleted = () => ok({ id: zoneIdOf(id), deleted: true });
    await this.deleteZone.execute({ ...request.caller, domainId: id }, request.storing(deleted));
    return deleted();
  }
}

/** @throws ValidationError */
function givenZone({ name, network }: Pick<ZoneBody, 'name' | 'network'>): GivenZone {
  if (network !== undefined && name !== undefined) throw ValidationError.of('network', 'must not be given with name');
  if (network !== undefined) return { network };
  if (name !== undefined) return { name };
  throw ValidationError.of('', 'name or network is required');
}

function verified(zone: ZoneReport): JsonResult {
  return ok(zoneReport(zone));
}

function created({ copied, ...zone }: CreatedZone): JsonResult {
  const body = { ...zoneReport(zone), ...(copied && { copied: copiedRecords(copied) }) };
  return { ...ok(body), status: 201 };
}

function tagged(domain: Domain): JsonResult {
  const { id, name, tags, updatedAt } = domain.toState();
  return ok({ id: zoneIdOf(id), name, tags, updated_at: updatedAt.toISOString() });
}

/** Its id is not known before it is created. */
function zoneToCreate({ copied, owner, ...zone }: CreatedZone): object {
  const { name, status, nameservers, records } = zoneInList({ ...zone, owner });
  const added = new LongList(copied?.imported.change.added ?? [], unwritten);
  return { dry_run: true, name, status, nameservers, records, added, ...(copied && { copied: copiedRecords(copied) }) };
}

/** What could not be copied as it was. */
function copiedRecords({ imported, notCopied }: CopiedRecords): object {
  return {
    ...importReport(imported),
    ...warningsMember(imported.warnings),
    skipped: notCopied.skipped,
    left_out: notCopied.leftOut,
  };
}

/** @throws ValidationError */
function zoneFilter(request: ApiRequest): ZoneFilter {
  const [name, kind, status, tag, given] = ZONE_FILTERS.map((each) => parameter(request, each));
  const statuses = ZONE_STATUSES.filter(
    (each) =>
      (kind === undefined || (kind === 'hosted') === isHosted(each)) &&
      (status === undefined || (status === 'unverified') === (each === 'unverified')),
  );
  if (kind !== undefined && kind !== 'hosted' && kind !== 'registered')
    throw ValidationError.of('kind', 'must be registered or hosted');
  if (status !== undefined && status !== 'unverified' && status !== 'active')
    throw ValidationError.of('status', 'must be unverified or active');
  const delegation = DELEGATION_STATES.find((each) => each === given);
  if (delegation !== given) throw ValidationError.of('delegation', `must be one of ${DELEGATION_STATES.join(', ')}`);
  const normalized = tag === undefined ? undefined : normalizeTag(tag);
  if (tag !== undefined && normalized === undefined) throw ValidationError.of('tag', TAG_EXPECTATION);
  return {
    ...(name !== undefined && { nameContains: foldNamePart(name) }),
    ...((kind ?? status) !== undefined && { statuses }),
    ...(delegation && { delegation }),
    ...(normalized !== undefined && { terms: [{ anyOf: [tagTerm(normalized)] }] }),
  };
}

function cursorOf({ value, id }: SortedPosition): string {
  return Buffer.from(`${id}:${value}`).toString('base64url');
}

/** @throws ValidationError */
function positionOf(cursor: string): SortedPosition {
  const [id = '', value = '', ...rest] = Buffer.from(cursor.slice(0, 500), 'base64url').toString().split(':');
  if (!DOMAIN_ID.test(id) || value === '' || rest.length > 0) throw badCursor();
  return { id, value };
}

function zoneInList({ owner, facts, nameservers, delegation }: ZoneInList) {
  const isRegistered = !isHosted(owner.status);
  return {
    id: zoneIdOf(owner.id),
    name: owner.name,
    kind: isRegistered ? 'registered' : 'hosted',
    domain_id: isRegistered ? owner.id : null,
    status: owner.status === 'unverified' ? 'unverified' : 'active',
    verification: verificationOf(owner),
    nameservers,
    delegation: {
      state: delegation.state,
      nameservers: delegation.nameservers,
      asked_at: delegation.askedAt?.toISOString() ?? null,
    },
    dnssec: { state: facts.signing },
    records: facts.recordCount,
    version: facts.version,
    tags: owner.tags,
    created_at: owner.createdAt.toISOString(),
    updated_at: owner.updatedAt.toISOString(),
  };
}

function verificationOf({ id, name, status, createdAt }: ZoneInList['owner']): object | null {
  if (status !== 'unverified') return null;
  const { type, value, ...challenge } = challengeOf(name, id);
  return { name: challenge.name, type, value, checked_until: verificationEnd(createdAt).toISOString() };
}

function zoneReport({ dsRecords, ...zone }: ZoneReport): object {
  return { ...zoneInList(zone), dnssec: { state: zone.facts.signing, ds: dsRecords.map(presentDsRecord) } };
}
