import { Type } from 'class-transformer';
import { Allow, ArrayMaxSize, IsArray, IsBoolean, IsNumber, IsObject, IsString, ValidateNested } from 'class-validator';
import { inject, injectable } from '../../../../application/ports/inject';
import { ZoneLimitSettings } from '../../../../application/dns/dns-settings';
import { AddRecord } from '../../../../application/dns/records/add-record';
import { ChangeRecord } from '../../../../application/dns/records/change-record';
import { MAX_EDITS, EditRecords } from '../../../../application/dns/records/edit-records';
import { ListRecords, RECORD_FILTERS, type ListFilter } from '../../../../application/dns/records/list-records';
import { RemoveRecord } from '../../../../application/dns/records/remove-record';
import type { Written } from '../../../../application/dns/zones/zone-request';
import type { RecordDraft, RecordPatch, DnsRecord } from '../../../../domain/dns/records/dns-record';
import { typedName } from '../../../../domain/dns/records/record-name';
import { parseListedType, type WritableType } from '../../../../domain/dns/records/types/record-types';
import { writtenRecords } from '../../../../domain/dns/zone-change';
import { pageOf } from '../../../shared/page-of';
import { ok, okStream, type ApiResult, type JsonResult } from '../../../shared/result';
import type { ApiRequest, WriteRequest } from '../../api-request';
import { pageRequest, pageResult, positionCursor } from '../../list-query';
import { Nullable, Optional, validated, parameter } from '../../validated';
import { zoneRequest, changeZone, zoneVersionHeaders, dnsRecord, writtenChange, writtenWarnings } from './zone-changes';

export class AddRecordBody {
  @IsString() type!: string;
  @IsString() name!: string;
  @IsString() content!: string;
  @Optional() @IsNumber() ttl?: number;
  @Nullable() @IsNumber() priority?: number | null;
  @Nullable() @IsNumber() weight?: number | null;
  @Nullable() @IsNumber() port?: number | null;
  @Nullable() @IsString() comment?: string | null;
  @Nullable() @IsString() managed_by?: string | null;
  @Optional() @IsBoolean() ptr?: boolean;
}

class RecordPatchBody {
  @Optional() @IsString() type?: string;
  @Optional() @IsString() name?: string;
  @Optional() @IsString() content?: string;
  @Optional() @IsNumber() ttl?: number;
  @Nullable() @IsNumber() priority?: number | null;
  @Nullable() @IsNumber() weight?: number | null;
  @Nullable() @IsNumber() port?: number | null;
  @Nullable() @IsString() comment?: string | null;
  @Nullable() @IsString() managed_by?: string | null;
  @Optional() @IsBoolean() ptr?: boolean;
  @Allow() created_at?: unknown;
  @Allow() updated_at?: unknown;
}

/** A record of a response can be sent back: fields that the service sets are accepted and ignored. */
class ChangeRecordBody extends RecordPatchBody {
  @Allow() id?: unknown;
}

/** One of many, named by its id. */
class UpdateRecordItem extends RecordPatchBody {
  @IsString() id!: string;
}

export class EditRecordsBody {
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_EDITS)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => AddRecordBody)
  create?: AddRecordBody[];
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_EDITS)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => UpdateRecordItem)
  update?: UpdateRecordItem[];
  @Optional() @IsArray() @ArrayMaxSize(MAX_EDITS) @IsString({ each: true }) delete?: string[];
}

function draftOf({ managed_by: managedBy, ...draft }: AddRecordBody): RecordDraft {
  return { ...draft, managedBy };
}

function patchOf({ managed_by: managedBy, ...body }: RecordPatchBody): RecordPatch {
  const { type, name, content, ttl, priority, weight, port, comment, ptr } = body;
  return { type, name, content, ttl, priority, weight, port, comment, managedBy, ptr };
}

@injectable()
export class RecordsController {
  constructor(
    @inject(ListRecords) private readonly records: ListRecords,
    @inject(AddRecord) private readonly addRecord: AddRecord,
    @inject(ChangeRecord) private readonly changeRecord: ChangeRecord,
    @inject(RemoveRecord) private readonly removeRecord: RemoveRecord,
    @inject(EditRecords) private readonly editRecords: EditRecords,
    @inject(ZoneLimitSettings) private readonly limits: ZoneLimitSettings,
  ) {}

  async list(request: ApiRequest<'id'>): Promise<ApiResult> {
    const { caller } = request;
    const { id } = request.params;
    const filter = recordFilter(request, this.limits.types);
    const page = pageRequest(request);
    if (!page) {
      const { zoneVersion, pages } = await this.records.all(caller, id, filter);
      return okStream(pages, dnsRecord, zoneVersionHeaders(zoneVersion));
    }
    const { limit, after } = page;
    const { zoneVersion, records: found } = await this.records.page(caller, id, filter, limit + 1, after);
    const headers = zoneVersionHeaders(zoneVersion);
    return pageResult(
      { request, filters: RECORD_FILTERS, ...pageOf(found, limit), limit, cursorOf: positionCursor },
      dnsRecord,
      headers,
    );
  }

  async read({ caller, params }: ApiRequest<'id' | 'recordId'>): Promise<ApiResult> {
    const { zoneVersion, record } = await this.records.one(caller, params.id, params.recordId);
    return ok(dnsRecord(record), zoneVersionHeaders(zoneVersion));
  }

  async add(request: WriteRequest<'id'>): Promise<JsonResult> {
    const draft = draftOf(validated(AddRecordBody, request.body));
    const command = { ...zoneRequest(request), draft };
    return changeZone(request, this.addRecord, command, {
      status: 201,
      written: writtenRecord,
    });
  }

  async change(request: WriteRequest<'id' | 'recordId'>): Promise<JsonResult> {
    const patch = patchOf(validated(ChangeRecordBody, request.body));
    const command = { ...zoneRequest(request), recordId: request.params.recordId, patch };
    return changeZone(request, this.changeRecord, command, { written: writtenRecord });
  }

  async remove(request: WriteRequest<'id' | 'recordId'>): Promise<JsonResult> {
    const { recordId: id } = request.params;
    const command = { ...zoneRequest(request), recordId: id };
    return changeZone(request, this.removeRecord, command, { written: () => ({ id, deleted: true }) });
  }

  async edit(request: WriteRequest<'id'>): Promise<JsonResult> {
    const { create = [], update = [], delete: removals = [] } = validated(EditRecordsBody, request.body);
    const updates = update.map((item) => ({ id: item.id, patch: patchOf(item) }));
    const command = { ...zoneRequest(request), create: create.map(draftOf), update: updates, delete: removals };
    return changeZone(request, this.editRecords, command, {
      written: (written) => ({
        ...writtenChange(written.result, written.zoneVersion),
        ...writtenWarnings(writtenRecords(written.result), written),
      }),
    });
  }
}

function writtenRecord(written: Written<DnsRecord>): object {
  return { ...dnsRecord(written.result.toState()), ...writtenWarnings([written.result], written) };
}

function recordFilter(request: ApiRequest<'id'>, types: readonly WritableType[]): ListFilter {
  const type = parameter(request, 'type');
  const name = parameter(request, 'name');
  return {
    type: type === undefined ? undefined : parseListedType(type, types),
    name: name === undefined ? undefined : (typedName(name)?.name ?? name),
    content: parameter(request, 'content'),
    comment: parameter(request, 'comment'),
    managedBy: parameter(request, 'managed_by'),
  };
}
