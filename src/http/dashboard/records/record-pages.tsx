import { inject, injectable } from 'inversify';
import { AddRecord } from '../../../application/dns/records/add-record';
import { ChangeRecord } from '../../../application/dns/records/change-record';
import { EditRecords } from '../../../application/dns/records/edit-records';
import { withAliases } from '../../../application/dns/records/list-records';
import type { Written } from '../../../application/dns/zones/zone-writer';
import { AliasReader } from '../../../application/ports/dns/alias-repository';
import { RecordQueries, type NamedPosition } from '../../../application/ports/dns/record-queries';
import { FindDomain } from '../../../application/registration/find-domain';
import type { DnsRecord, DnsRecordState } from '../../../domain/dns/records/dns-record';
import { RecordNotFound } from '../../../domain/dns/errors';
import { foldNamePart } from '../../../domain/shared/idna';
import type { ErrorCode } from '../../../domain/shared/error-code';
import { ServiceError } from '../../../domain/shared/service-error';
import { includesType, isNamedType } from '../../../domain/dns/records/types/record-types';
import { buildUrl } from '../build-url';
import { displayName } from '../domains/domain-labels';
import { attempt } from '../form-issues';
import { readFields, readParameter } from '../form-fields';
import { DashboardSettings } from '../dashboard-settings';
import { describeUnusedParameters } from '../unused-parameters';
import { buildRollBackForm } from '../zone/roll-back-form';
import { loadListPage } from '../list-page';
import { setFlash, type Flash } from '../flash';
import { PageRenderer } from '../page-renderer';
import {
  getRequester,
  WIDE,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { readDraft, recordIssueMapping, toFormValues, toHiddenFields, readSubmittedValues } from './record-form';
import { RecordsPage, type RecordsPageProps } from './records-page';
import { redirect } from '../redirect';

const PAGE_SIZE = 200;

/** The DNS records of a domain: add, edit in place, delete one or many, undo. */
@injectable()
export class RecordPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(RecordQueries) private readonly recordQueries: RecordQueries,
    @inject(AliasReader) private readonly aliases: AliasReader,
    @inject(AddRecord) private readonly addRecord: AddRecord,
    @inject(ChangeRecord) private readonly changeRecord: ChangeRecord,
    @inject(EditRecords) private readonly editRecords: EditRecords,
    @inject(DashboardSettings) private readonly settings: DashboardSettings,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/domains/:id/records', 'read', this.list.bind(this)],
      ['post', '/domains/:id/records', 'write', this.add.bind(this)],
      ['post', '/domains/:id/records/delete', 'write', this.remove.bind(this)],
      ['post', '/domains/:id/records/check', 'write', this.check.bind(this), { cost: WIDE }],
      ['post', '/domains/:id/records/:recordId/check', 'write', this.check.bind(this), { cost: WIDE }],
      ['post', '/domains/:id/records/:recordId', 'write', this.change.bind(this)],
    ];
  }

  private async list(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const edited = readParameter(req, 'edit');
    const domain = await this.find(req, res);
    const record = edited === '' ? undefined : await this.findRecord(domain.id, edited);
    if (record) return this.renderList(req, res, { editing: { id: record.id, values: toFormValues(record) } });
    const duplicated = readParameter(req, 'duplicate');
    const original = duplicated === '' ? undefined : await this.findRecord(domain.id, duplicated);
    await this.renderList(req, res, original ? { adding: { values: toFormValues(original) } } : {});
  }

  private async add(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const command = { ...getRequester(res), domainId: readDomainId(req), draft: readDraft(req) };
    const outcome = await attempt(async () => {
      const { warnings } = await this.addRecord.plan(command);
      return { warnings, ...(await this.addRecord.execute(command)) };
    }, recordIssueMapping(req));
    if ('issues' in outcome)
      return this.renderList(req, res, { adding: { values: readSubmittedValues(req), issues: outcome.issues } });
    this.redirectWithRecord(req, res, 'Added', outcome.result);
  }

  private async change(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const recordId = req.params['recordId'] ?? '';
    const command = { ...getRequester(res), domainId: readDomainId(req), recordId, patch: readDraft(req) };
    const outcome = await attempt(async () => {
      const { warnings } = await this.changeRecord.plan(command);
      return { warnings, ...(await this.changeRecord.execute(command)) };
    }, recordIssueMapping(req));
    if ('issues' in outcome)
      return this.renderList(req, res, {
        editing: { id: recordId, values: readSubmittedValues(req), issues: outcome.issues },
      });
    this.redirectWithRecord(req, res, 'Saved', outcome.result);
  }

  /** What would be unusual about the record of the form, as JSON for the script of the form. */
  private async check(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { recordId } = req.params;
    const zone = { ...getRequester(res), domainId: readDomainId(req) };
    const draft = readDraft(req);
    const warnings = await warningsOf(() =>
      recordId === undefined
        ? this.addRecord.plan({ ...zone, draft })
        : this.changeRecord.plan({ ...zone, recordId, patch: draft }),
    );
    res.type('json').send(JSON.stringify({ warnings }));
  }

  private async remove(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const ids = [...new Set(readFields(req, 'ids'))];
    if (ids.length === 0)
      return this.redirectToList(req, res, {
        kind: 'warning',
        text: 'No records were deleted because none were selected. Select records first.',
      });
    const domainId = readDomainId(req);
    const { result, zoneVersion } = await this.editRecords.execute({
      ...getRequester(res),
      domainId,
      create: [],
      update: [],
      delete: ids,
    });
    this.redirectToList(req, res, {
      kind: 'success',
      text: `Deleted ${describeRemoved(result.removed)}.`,
      undo: this.buildUndo(domainId, result.removed, zoneVersion),
    });
  }

  private async renderList(
    req: DashboardRequest,
    res: DashboardResponse,
    forms: Pick<RecordsPageProps, 'adding' | 'editing'>,
  ): Promise<void> {
    const domain = await this.find(req, res);
    const { recordTypes: types } = this.settings;
    const type = types.filter((each) => isNamedType(each)).find((each) => each === readParameter(req, 'type'));
    const query = { search: readParameter(req, 'q').trim(), type: type ?? '' };
    const search = { type, contains: query.search === '' ? undefined : foldNamePart(query.search) };
    const cursor = parseCursor(readParameter(req, 'after'));
    const page = await loadListPage({
      size: PAGE_SIZE,
      cursor,
      load: (limit, after) => this.recordQueries.page(domain.id, search, limit, after),
      url: (last?: NamedPosition) =>
        buildUrl(`/domains/${domain.id}/records`, {
          q: query.search,
          type: query.type,
          after: last && `${last.id}:${last.name}`,
        }),
    });
    const records = await this.includeEdited(domain.id, page.items, forms.editing?.id);
    const items = await withAliases(this.aliases, domain.id, records);
    const warning = describeUnusedParameters(req, {
      q: true,
      type: type !== undefined,
      after: cursor !== undefined,
      edit: true,
      duplicate: true,
    });
    const head = {
      title: `DNS records of ${displayName(domain.name)}`,
      section: 'domains',
      warning,
      issues: (forms.adding ?? forms.editing)?.issues,
    } as const;
    this.renderer.render(
      req,
      res,
      head,
      <RecordsPage domain={domain} query={query} types={types} page={{ ...page, items }} {...forms} />,
    );
  }

  /** Adds the record that is being edited if it is on another page of the list. */
  private async includeEdited(
    domainId: string,
    records: readonly DnsRecordState[],
    id: string | undefined,
  ): Promise<readonly DnsRecordState[]> {
    if (id === undefined || records.some((record) => record.id === id)) return records;
    return [await this.findRecord(domainId, id), ...records];
  }

  private async findRecord(domainId: string, id: string): Promise<DnsRecordState> {
    const record = await this.recordQueries.find(domainId, id);
    if (!record) throw new RecordNotFound();
    return record;
  }

  private async find(req: DashboardRequest, res: DashboardResponse) {
    return (await this.findDomain.byId({ ...getRequester(res), domainId: readDomainId(req) })).toState();
  }

  private redirectWithRecord(
    req: DashboardRequest,
    res: DashboardResponse,
    verb: string,
    { result, zoneVersion, warnings }: Written<DnsRecord> & { readonly warnings: readonly string[] },
  ): void {
    const domainId = readDomainId(req);
    const text = `${verb} ${describeRecord(result.toState())}.`;
    const undo =
      verb === 'Added'
        ? { action: `/domains/${domainId}/records/delete`, fields: { ids: result.id } }
        : buildRollBackForm(domainId, { version: zoneVersion - 1, expected: zoneVersion });
    this.redirectToList(
      req,
      res,
      warnings.length === 0
        ? { kind: 'success', text, undo }
        : { kind: 'warning', text: [text, ...warnings.map((warning) => `${warning}.`)].join(' '), undo },
    );
  }

  /** Undo of one record adds it again. Undo of many rolls the zone back, if it has not changed since. */
  private buildUndo(domainId: string, removed: readonly DnsRecord[], zoneVersion: number): NonNullable<Flash['undo']> {
    const [first] = removed;
    if (removed.length === 1 && first && includesType(this.settings.recordTypes, first.type))
      return { action: `/domains/${domainId}/records`, fields: toHiddenFields(first.toState()) };
    return buildRollBackForm(domainId, { version: zoneVersion - 1, expected: zoneVersion });
  }

  private redirectToList(req: DashboardRequest, res: DashboardResponse, flash: Flash): void {
    setFlash(req, flash);
    redirect(res, `/domains/${readDomainId(req)}/records`);
  }
}

function readDomainId(req: DashboardRequest): string {
  return req.params['id'] ?? '';
}

function describeRecord({ type, name, content }: DnsRecordState): string {
  return `${type} ${name} ${content.length > 60 ? `${content.slice(0, 60)}…` : content}`;
}

function describeRemoved(removed: readonly DnsRecord[]): string {
  const [first] = removed;
  return removed.length === 1 && first ? describeRecord(first.toState()) : `${removed.length} records`;
}

function parseCursor(text: string): NamedPosition | undefined {
  const match = /^(rec_[0-9a-z]{1,36}):(.{1,253})$/.exec(text);
  return match?.[1] && match[2] ? { id: match[1], name: match[2] } : undefined;
}

/** Errors that a complete form can have; others are likely to go away as the user types on. */
const SHOWN_WHILE_TYPING: readonly ErrorCode[] = [
  'RECORD_CONFLICT',
  'CNAME_AT_ROOT',
  'INVALID_RECORD_NAME',
  'LIMIT_EXCEEDED',
];

async function warningsOf(plan: () => Promise<{ readonly warnings: readonly string[] }>): Promise<readonly string[]> {
  try {
    return (await plan()).warnings;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'INTERNAL_ERROR') throw error;
    return SHOWN_WHILE_TYPING.includes(error.code) ? [error.details ?? error.message] : [];
  }
}
