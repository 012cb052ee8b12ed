import { inject, injectable } from '../../../application/ports/inject';
import { AddRecord } from '../../../application/dns/records/add-record';
import { ChangeRecord } from '../../../application/dns/records/change-record';
import { EditRecords } from '../../../application/dns/records/edit-records';
import type { Written } from '../../../application/dns/zones/zone-request';
import type { DnsRecord, DnsRecordState } from '../../../domain/dns/records/dns-record';
import type { ErrorCode } from '../../../domain/shared/error-code';
import { ServiceError } from '../../../domain/shared/service-error';
import { includesType } from '../../../domain/dns/records/types/record-types';
import { readDomainId } from '../layout/domain/domain-request';
import { attempt, issuesText, NO_ISSUES, OUTAGE, type IssueMapping } from '../form-issues';
import { readField, readFields, readOptionalField } from '../form-fields';
import { DashboardSettings } from '../dashboard-settings';
import { buildRollBackForm } from '../zone/history/roll-back-form';
import { setFlash, type Flash } from '../flash';
import {
  getRequester,
  WIDE,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { readDraft, recordIssueMapping, toHiddenFields, readSubmittedValues } from './record-form';
import { CHANGED_SINCE, RecordList, REMOVED_SINCE } from './record-list';
import { STATUS } from '../../shared/error-codes';
import { redirect } from '../redirect';

/** The DNS records of a domain: add, change, delete one or many, undo. */
@injectable()
export class RecordPages implements DashboardPages {
  constructor(
    @inject(RecordList) private readonly recordList: RecordList,
    @inject(AddRecord) private readonly addRecord: AddRecord,
    @inject(ChangeRecord) private readonly changeRecord: ChangeRecord,
    @inject(EditRecords) private readonly editRecords: EditRecords,
    @inject(DashboardSettings) private readonly settings: DashboardSettings,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/domains/:id/records', 'read', this.recordList.show.bind(this.recordList)],
      ['post', '/domains/:id/records', 'write', this.add.bind(this)],
      ['post', '/domains/:id/records/delete', 'write', this.remove.bind(this)],
      ['post', '/domains/:id/records/check', 'write', this.check.bind(this), { cost: WIDE }],
      ['post', '/domains/:id/records/:recordId/check', 'write', this.check.bind(this), { cost: WIDE }],
      ['post', '/domains/:id/records/:recordId', 'write', this.change.bind(this)],
    ];
  }

  private async add(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const command = { ...getRequester(res), domainId: readDomainId(req), draft: readDraft(req) };
    const outcome = await attempt(async () => {
      const { warnings } = await this.addRecord.plan(command);
      return { ...(await this.addRecord.execute(command)), warnings };
    }, recordIssueMapping(req));
    if ('issues' in outcome)
      return this.recordList.render(req, res, { adding: { values: readSubmittedValues(req), issues: outcome.issues } });
    this.redirectWithRecord(req, res, 'Added', outcome.result);
  }

  private async change(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const recordId = req.params['recordId'] ?? '';
    const seen = readOptionalField(req, 'seen');
    const command = { ...getRequester(res), domainId: readDomainId(req), recordId, patch: readDraft(req), seen };
    const outcome = await attemptOnRecords(async () => {
      const { warnings } = await this.changeRecord.plan(command);
      return { ...(await this.changeRecord.execute(command)), warnings };
    }, recordIssueMapping(req));
    if (!outcome)
      return this.recordList.render(req, res, {
        adding: {
          values: readSubmittedValues(req),
          issues: { ...NO_ISSUES, status: 409, message: `${REMOVED_SINCE} Send this form to add it again.` },
        },
      });
    if ('issues' in outcome) {
      const isConflict = outcome.issues.status === STATUS.PRECONDITION_FAILED;
      const values = { ...readSubmittedValues(req), seen: isConflict ? undefined : seen };
      const issues = isConflict ? { ...NO_ISSUES, status: 409, message: CHANGED_SINCE } : outcome.issues;
      return this.recordList.render(req, res, { editing: { id: recordId, values, issues, isConflict } });
    }
    this.redirectWithRecord(req, res, 'Saved', outcome.result);
  }

  /** What would be unusual about the record of the form, as JSON for the script of the form. */
  private async check(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { recordId } = req.params;
    const zone = { ...getRequester(res), domainId: readDomainId(req) };
    const draft = readDraft(req);
    const plan = () =>
      recordId === undefined
        ? this.addRecord.plan({ ...zone, draft })
        : this.changeRecord.plan({ ...zone, recordId, patch: draft });
    // A type is chosen before the name is typed.
    const warnings = draft.name === '' ? [] : await readWarnings(plan);
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
    const command = { ...getRequester(res), domainId, create: [], update: [], delete: ids };
    const outcome = await attemptOnRecords(() => this.editRecords.execute(command));
    if (!outcome || 'issues' in outcome) {
      const result =
        outcome?.issues.status === OUTAGE ? 'Look whether the records were deleted.' : 'No records were deleted.';
      return this.redirectToList(req, res, {
        kind: 'warning',
        text: `${result} ${outcome ? issuesText(outcome.issues) : REMOVED_SINCE}`,
      });
    }
    const { result, zoneVersion } = outcome.result;
    this.redirectToList(req, res, {
      kind: 'success',
      text: `Deleted ${describeRemoved(result.removed)}.`,
      undo: this.buildUndo(domainId, result.removed, zoneVersion),
    });
  }

  private redirectWithRecord(
    req: DashboardRequest,
    res: DashboardResponse,
    verb: string,
    { result, zoneVersion, isChanged, warnings }: Written<DnsRecord>,
  ): void {
    const domainId = readDomainId(req);
    // The version before is that of another change, which Undo must not take back.
    if (!isChanged)
      return this.redirectToList(req, res, {
        kind: 'success',
        text: `No change: the record ${describeRecord(result.toState())} already has these values.`,
      });
    const text = `${verb} ${describeRecord(result.toState())}.`;
    const isNew = verb === 'Added';
    const ttl = readOptionalField(req, 'ttl') ?? '';
    const undo = isNew
      ? { action: `/domains/${domainId}/records/delete`, fields: { ids: result.id } }
      : buildRollBackForm(domainId, { version: zoneVersion - 1, expected: zoneVersion });
    const added = isNew && { added: { type: readField(req, 'type'), ttl } };
    this.redirectToList(
      req,
      res,
      warnings.length === 0
        ? { kind: 'success', text, undo, ...added }
        : { kind: 'warning', text: [text, ...warnings.map((warning) => `${warning}.`)].join(' '), undo, ...added },
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

/** As `attempt`. Returns undefined if a record no longer exists: another tab, or someone else, has removed it. */
async function attemptOnRecords<T>(work: () => Promise<T>, mapping?: IssueMapping) {
  try {
    return await attempt(work, mapping);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'RECORD_NOT_FOUND') return undefined;
    throw error;
  }
}

function describeRecord({ type, name, content }: DnsRecordState): string {
  return `${type} ${name} ${content.length > 60 ? `${content.slice(0, 60)}…` : content}`;
}

function describeRemoved(removed: readonly DnsRecord[]): string {
  const [first] = removed;
  return removed.length === 1 && first ? describeRecord(first.toState()) : `${removed.length} records`;
}

/** Errors that a complete form can have; others are likely to go away as the user types on. */
const SHOWN_WHILE_TYPING: readonly ErrorCode[] = [
  'RECORD_CONFLICT',
  'CNAME_AT_ROOT',
  'INVALID_RECORD_NAME',
  'LIMIT_EXCEEDED',
];

async function readWarnings(plan: () => Promise<{ readonly warnings: readonly string[] }>): Promise<readonly string[]> {
  try {
    return (await plan()).warnings;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'INTERNAL_ERROR') throw error;
    return SHOWN_WHILE_TYPING.includes(error.code) ? [error.details ?? error.message] : [];
  }
}
