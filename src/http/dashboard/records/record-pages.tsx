import { inject, injectable } from 'inversify';
import { AddRecord } from '../../../application/dns/records/add-record';
import { ChangeRecord } from '../../../application/dns/records/change-record';
import { EditRecords } from '../../../application/dns/records/edit-records';
import { RecordQueries, type NamedPosition } from '../../../application/ports/dns/record-queries';
import { FindDomain } from '../../../application/registration/find-domain';
import type { DnsRecord, DnsRecordState } from '../../../domain/dns/records/dns-record';
import { RecordNotFound } from '../../../domain/dns/errors';
import { foldNamePart } from '../../../domain/shared/idna';
import { isSpf, spfWarning } from '../../../domain/dns/zone-warnings';
import { RECORD_TYPES } from '../../../domain/dns/records/record-type';
import { addressOf } from '../address-of';
import { displayName } from '../domains/domain-words';
import { attempt } from '../form-issues';
import { fields, parameter } from '../form-fields';
import { unusedParameters } from '../list-parameters';
import { restoring } from '../zone/restore-form';
import { setFlash, type Notice } from '../notice';
import { Pages } from '../pages';
import {
  requesterOf,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../visitor';
import { readDraft, recordPlaces, recordValues, restoringFields, sentValues } from './record-form';
import { RecordsPage, type RecordsPageProps } from './records-page';
import { seeOther } from '../see-other';

const PAGE_SIZE = 200;

/** The records of a domain: inline add and edit, deletion of one or many, and its undo. */
@injectable()
export class RecordPages implements DashboardPages {
  constructor(
    @inject(Pages) private readonly pages: Pages,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(RecordQueries) private readonly survey: RecordQueries,
    @inject(AddRecord) private readonly addRecord: AddRecord,
    @inject(ChangeRecord) private readonly changeRecord: ChangeRecord,
    @inject(EditRecords) private readonly editRecords: EditRecords,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/domains/:id/records', 'member', this.list.bind(this)],
      ['post', '/domains/:id/records', 'member', this.add.bind(this)],
      ['post', '/domains/:id/records/delete', 'member', this.remove.bind(this)],
      ['post', '/domains/:id/records/:recordId', 'member', this.change.bind(this)],
    ];
  }

  private async list(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const edited = parameter(req, 'edit');
    const domain = await this.find(req, res);
    const record = edited === '' ? undefined : await this.record(domain.id, edited);
    await this.page(req, res, record ? { editing: { id: record.id, values: recordValues(record) } } : {});
  }

  private async add(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const outcome = await attempt(
      () => this.addRecord.execute({ ...requesterOf(res), domainId: idOf(req), draft: readDraft(req) }),
      recordPlaces(req),
    );
    if ('issues' in outcome)
      return this.page(req, res, { adding: { values: sentValues(req), issues: outcome.issues } });
    await this.backWith(req, res, 'Added', outcome.result.result.toState());
  }

  private async change(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const recordId = req.params['recordId'] ?? '';
    const outcome = await attempt(
      () => this.changeRecord.execute({ ...requesterOf(res), domainId: idOf(req), recordId, patch: readDraft(req) }),
      recordPlaces(req),
    );
    if ('issues' in outcome)
      return this.page(req, res, { editing: { id: recordId, values: sentValues(req), issues: outcome.issues } });
    await this.backWith(req, res, 'Saved', outcome.result.result.toState());
  }

  private async remove(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const ids = [...new Set(fields(req, 'ids'))];
    if (ids.length === 0) return this.back(req, res, { kind: 'warning', text: 'Select the records to delete first.' });
    const domainId = idOf(req);
    const { result, zoneVersion } = await this.editRecords.execute({
      ...requesterOf(res),
      domainId,
      create: [],
      update: [],
      delete: ids,
    });
    this.back(req, res, {
      kind: 'done',
      text: `Deleted ${removalInWords(result.removed)}.`,
      undo: undoOf(domainId, result.removed, zoneVersion),
    });
  }

  private async page(
    req: DashboardRequest,
    res: DashboardResponse,
    forms: Pick<RecordsPageProps, 'adding' | 'editing'>,
  ): Promise<void> {
    const domain = await this.find(req, res);
    const type = RECORD_TYPES.find((each) => each === parameter(req, 'type'));
    const query = { search: parameter(req, 'q').trim(), type: type ?? '' };
    const search = { type, contains: query.search === '' ? undefined : foldNamePart(query.search) };
    const after = readPosition(parameter(req, 'after'));
    const found = await this.survey.page(domain.id, search, PAGE_SIZE + 1, after);
    const records = await this.withEdited(domain.id, found.slice(0, PAGE_SIZE), forms.editing?.id);
    const last = found.length > PAGE_SIZE ? records.at(-1) : undefined;
    const address = (position?: NamedPosition) =>
      addressOf(`/domains/${domain.id}/records`, {
        q: query.search,
        type: query.type,
        after: position && `${position.id}:${position.name}`,
      });
    const ways = { next: last && address(last), first: after && address() };
    const warning = unusedParameters(req, {
      q: true,
      type: type !== undefined,
      after: after !== undefined,
      edit: true,
    });
    const head = {
      title: `DNS records of ${displayName(domain.name)}`,
      section: 'domains',
      warning,
      issues: (forms.adding ?? forms.editing)?.issues,
    } as const;
    this.pages.send(
      req,
      res,
      head,
      <RecordsPage domain={domain} query={query} records={records} {...ways} {...forms} />,
    );
  }

  /** The record that is edited is there, on whichever page it would be. */
  private async withEdited(
    domainId: string,
    records: readonly DnsRecordState[],
    id: string | undefined,
  ): Promise<readonly DnsRecordState[]> {
    if (id === undefined || records.some((record) => record.id === id)) return records;
    return [await this.record(domainId, id), ...records];
  }

  private async record(domainId: string, id: string): Promise<DnsRecordState> {
    const record = await this.survey.find(domainId, id);
    if (!record) throw new RecordNotFound();
    return record;
  }

  private async find(req: DashboardRequest, res: DashboardResponse) {
    return (await this.findDomain.byId({ accountId: res.locals.visitor.accountId, domainId: idOf(req) })).toState();
  }

  private async backWith(
    req: DashboardRequest,
    res: DashboardResponse,
    done: string,
    record: DnsRecordState,
  ): Promise<void> {
    const text = `${done} ${inWords(record)}.`;
    const warning = isSpf(record) ? spfWarning(record.name, await this.spfCount(idOf(req), record.name)) : undefined;
    this.back(
      req,
      res,
      warning === undefined ? { kind: 'done', text } : { kind: 'warning', text: `${text} ${warning}.` },
    );
  }

  private async spfCount(domainId: string, name: string): Promise<number> {
    const found = await this.survey.page(domainId, { type: 'TXT', contains: 'v=spf1' }, PAGE_SIZE);
    return found.filter((record) => record.name === name && isSpf(record)).length;
  }

  private back(req: DashboardRequest, res: DashboardResponse, notice: Notice): void {
    setFlash(req, notice);
    seeOther(res, `/domains/${idOf(req)}/records`);
  }
}

function idOf(req: DashboardRequest): string {
  return req.params['id'] ?? '';
}

function inWords({ type, name, content }: DnsRecordState): string {
  return `${type} ${name} ${content.length > 60 ? `${content.slice(0, 60)}…` : content}`;
}

function removalInWords(removed: readonly DnsRecord[]): string {
  const [first] = removed;
  return removed.length === 1 && first ? inWords(first.toState()) : `${removed.length} records`;
}

/** One record is put back by itself; many by going back to the version before, as long as nothing else has changed. */
function undoOf(domainId: string, removed: readonly DnsRecord[], zoneVersion: number): NonNullable<Notice['undo']> {
  const [first] = removed;
  if (removed.length === 1 && first)
    return { action: `/domains/${domainId}/records`, fields: restoringFields(first.toState()) };
  return restoring(domainId, { version: zoneVersion - 1, expected: zoneVersion });
}

function readPosition(text: string): NamedPosition | undefined {
  const match = /^(rec_[0-9a-z]{1,36}):(.{1,253})$/.exec(text);
  return match?.[1] && match[2] ? { id: match[1], name: match[2] } : undefined;
}
