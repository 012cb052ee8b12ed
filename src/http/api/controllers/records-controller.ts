import { inject, injectable } from 'inversify';
import { AddRecord } from '../../../application/dns/add-record';
import { ChangeRecord } from '../../../application/dns/change-record';
import { ListRecords } from '../../../application/dns/list-records';
import { RemoveRecord } from '../../../application/dns/remove-record';
import type { RecordFilter } from '../../../application/ports/zone-repository';
import { recordType } from '../../../domain/dns/record-rules';
import { requesterOf, type ApiHandler, type ApiRequest } from '../caller';
import { nextLink, pageRequest, parameter } from '../dto/list-query';
import { AddRecordBody, ChangeRecordBody } from '../dto/record-bodies';
import { validated } from '../dto/validated';
import { dnsRecord } from '../presenters/record-presenter';
import { streamArray } from '../stream-array';

/** The version that the zone has with what was written, and at least with what is listed. */
const ZONE_VERSION = 'Zone-Version';

@injectable()
export class RecordsController {
  constructor(
    @inject(ListRecords) private readonly records: ListRecords,
    @inject(AddRecord) private readonly addRecord: AddRecord,
    @inject(ChangeRecord) private readonly changeRecord: ChangeRecord,
    @inject(RemoveRecord) private readonly removeRecord: RemoveRecord,
  ) {}

  list: ApiHandler = async (req, res) => {
    const { accountId } = res.locals.caller;
    const domainId = req.params['id'] ?? '';
    const filter = recordFilter(req);
    const page = pageRequest(req);
    if (!page) {
      const { zoneVersion, pages } = await this.records.all(accountId, domainId, filter);
      res.setHeader(ZONE_VERSION, zoneVersion);
      return streamArray(res, pages, dnsRecord);
    }
    const { zoneVersion, records: found } = await this.records.page(accountId, domainId, filter, page.limit + 1, page.after);
    res.setHeader(ZONE_VERSION, zoneVersion);
    const shown = found.slice(0, page.limit);
    const last = shown.at(-1);
    if (last && found.length > page.limit) res.setHeader('Link', nextLink(req, ['type', 'name'], page.limit, last));
    res.json(shown.map(dnsRecord));
  };

  add: ApiHandler = async (req, res) => {
    const draft = validated(AddRecordBody, req.body);
    const { result, zoneVersion } = await this.addRecord.execute({ ...requesterOf(res), domainId: req.params['id'] ?? '', draft });
    res.setHeader(ZONE_VERSION, zoneVersion);
    res.status(201).json(dnsRecord(result.toState()));
  };

  change: ApiHandler = async (req, res) => {
    const { type, name, content, ttl, priority, weight, port } = validated(ChangeRecordBody, req.body);
    const patch = { type, name, content, ttl, priority, weight, port };
    const { result, zoneVersion } = await this.changeRecord.execute({ ...requesterOf(res), domainId: req.params['id'] ?? '', recordId: req.params['recordId'] ?? '', patch });
    res.setHeader(ZONE_VERSION, zoneVersion);
    res.json(dnsRecord(result.toState()));
  };

  remove: ApiHandler = async (req, res) => {
    const id = req.params['recordId'] ?? '';
    const { zoneVersion } = await this.removeRecord.execute({ ...requesterOf(res), domainId: req.params['id'] ?? '', recordId: id });
    res.setHeader(ZONE_VERSION, zoneVersion);
    res.json({ id, deleted: true });
  };
}

function recordFilter(req: ApiRequest): RecordFilter {
  const type = parameter(req, 'type');
  return { type: type === undefined ? undefined : recordType(type), name: parameter(req, 'name')?.toLowerCase() };
}
