import { inject, injectable } from 'inversify';
import { AddRecord } from '../../../application/dns/records/add-record';
import { ChangeRecord } from '../../../application/dns/records/change-record';
import { EditRecords } from '../../../application/dns/records/edit-records';
import { ListRecords } from '../../../application/dns/records/list-records';
import { RemoveRecord } from '../../../application/dns/records/remove-record';
import type { RecordFilter } from '../../../application/ports/dns/zone-repository';
import { parseRecordType } from '../../../domain/dns/records/record-rules';
import { typedName } from '../../../domain/dns/records/typed-name';
import type { ApiHandler, ApiRequest } from '../caller';
import { changeZone } from '../change-zone';
import { nextLink, pageRequest, parameter } from '../dto/list-query';
import { AddRecordBody, ChangeRecordBody, EditRecordsBody, patchOf } from '../dto/record-bodies';
import { validated } from '../dto/validated';
import { zoneRequest } from '../dto/zone-request';
import { dnsRecord } from '../presenters/record-presenter';
import { writtenChange } from '../presenters/zone-presenter';
import { sendJson } from '../send-json';
import { streamArray } from '../stream-array';
import { tellZoneVersion } from '../zone-version';

@injectable()
export class RecordsController {
  constructor(
    @inject(ListRecords) private readonly records: ListRecords,
    @inject(AddRecord) private readonly addRecord: AddRecord,
    @inject(ChangeRecord) private readonly changeRecord: ChangeRecord,
    @inject(RemoveRecord) private readonly removeRecord: RemoveRecord,
    @inject(EditRecords) private readonly editRecords: EditRecords,
  ) {}

  list: ApiHandler = async (req, res) => {
    const { accountId } = res.locals.caller;
    const domainId = req.params['id'] ?? '';
    const filter = recordFilter(req);
    const page = pageRequest(req);
    if (!page) {
      const { zoneVersion, pages } = await this.records.all(accountId, domainId, filter);
      tellZoneVersion(res, zoneVersion);
      return streamArray(res, pages, dnsRecord);
    }
    const { zoneVersion, records: found } = await this.records.page(
      accountId,
      domainId,
      filter,
      page.limit + 1,
      page.after,
    );
    tellZoneVersion(res, zoneVersion);
    const shown = found.slice(0, page.limit);
    const last = shown.at(-1);
    if (last && found.length > page.limit) res.setHeader('Link', nextLink(req, ['type', 'name'], page.limit, last));
    sendJson(res, shown.map(dnsRecord));
  };

  add: ApiHandler = async (req, res) => {
    const draft = validated(AddRecordBody, req.body);
    await changeZone(
      req,
      res,
      this.addRecord,
      { ...zoneRequest(req, res), draft },
      { status: 201, written: ({ result }) => dnsRecord(result.toState()) },
    );
  };

  change: ApiHandler = async (req, res) => {
    const patch = patchOf(validated(ChangeRecordBody, req.body));
    const command = { ...zoneRequest(req, res), recordId: req.params['recordId'] ?? '', patch };
    await changeZone(req, res, this.changeRecord, command, { written: ({ result }) => dnsRecord(result.toState()) });
  };

  remove: ApiHandler = async (req, res) => {
    const id = req.params['recordId'] ?? '';
    await changeZone(
      req,
      res,
      this.removeRecord,
      { ...zoneRequest(req, res), recordId: id },
      { written: () => ({ id, deleted: true }) },
    );
  };

  edit: ApiHandler = async (req, res) => {
    const { create = [], update = [], delete: removals = [] } = validated(EditRecordsBody, req.body);
    const updates = update.map((item) => ({ id: item.id, patch: patchOf(item) }));
    const command = { ...zoneRequest(req, res), create, update: updates, delete: removals };
    await changeZone(req, res, this.editRecords, command, {
      written: ({ result, zoneVersion }) => writtenChange(result, zoneVersion),
    });
  };
}

function recordFilter(req: ApiRequest): RecordFilter {
  const type = parameter(req, 'type');
  const name = parameter(req, 'name');
  return {
    type: type === undefined ? undefined : parseRecordType(type),
    name: name === undefined ? undefined : (typedName(name)?.name ?? name),
  };
}
