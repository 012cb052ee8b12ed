import { inject, injectable } from '../../../application/ports/inject';
import { asPartOf } from '../../../application/access/approvals/approval-needed';
import { ExportZoneFile } from '../../../application/dns/zones/zone-files/export-zone-file';
import { ImportZoneFile, type ImportMode } from '../../../application/dns/zones/zone-files/import-zone-file';
import type { ImportableZone } from '../../../application/ports/dns/other-nameservers';
import { ReadPresentZone } from '../../../application/registrar/read-present-zone';
import { FindDomain } from '../../../application/registration/find-domain';
import { unreadResponses } from '../../shared/unread-responses';
import type { DomainState } from '../../../domain/registration/domain';
import { findDomainOf } from '../layout/domain/domain-request';
import { displayName } from '../layout/domain/domain-labels';
import type { FormValues } from '../layout/forms/forms';
import { attempt, type FormIssues, type IssueMapping } from '../form-issues';
import { readField, readOptionalField } from '../form-fields';
import { setFlash } from '../flash';
import { getUpload } from '../middleware/upload-body';
import { PageRenderer, type PageHead } from '../page-renderer';
import {
  BULK,
  getRequester,
  WIDE,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { SEVERAL_FIELD, SeveralRecordsPage } from './several-records';
import { buildRollBackForm } from './history/roll-back-form';
import { ImportPlanPage } from './import-plan-page';
import { PROVIDER_FIELD, ZoneFilePage } from './zone-file-page';
import { redirect } from '../redirect';

const MAX_LEFT_OUT = 10;
export const SOURCE_FIELDS = ['nameserver', 'tsig.name', 'tsig.algorithm', 'tsig.secret'];

/** Wrong lines are shown at the text. The code is that of the first. */
export const LINE_ISSUES: IssueMapping = {
  codes: {
    VALIDATION_ERROR: 'text',
    INVALID_RECORD_TYPE: 'text',
    INVALID_RECORD_NAME: 'text',
    INVALID_RECORD_CONTENT: 'text',
    CNAME_AT_ROOT: 'text',
    MISSING_PRIORITY: 'text',
    RECORD_CONFLICT: 'text',
  },
};

interface ZoneFileForm {
  readonly issues?: FormIssues | undefined;
  /** About the form that reads the zone from other nameservers. */
  readonly sourceIssues?: FormIssues | undefined;
  readonly sourceValues?: FormValues | undefined;
  readonly warning?: string | undefined;
}

/** Zone file export, and import with a dry run first. */
@injectable()
export class ZoneFilePages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(ExportZoneFile) private readonly exportZoneFile: ExportZoneFile,
    @inject(ReadPresentZone) private readonly readPresentZone: ReadPresentZone,
    @inject(ImportZoneFile) private readonly importZoneFile: ImportZoneFile,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/domains/:id/zone-file', 'read', this.renderForm.bind(this)],
      ['get', '/domains/:id/zone-file/export', 'read', this.export.bind(this), { cost: WIDE }],
      ['post', '/domains/:id/zone-file/plan', 'write', this.plan.bind(this), { upload: true, cost: BULK }],
      ['post', '/domains/:id/zone-file/read', 'write', this.read.bind(this), { cost: BULK }],
      ['post', '/domains/:id/zone-file', 'write', this.apply.bind(this), { upload: true, cost: BULK }],
    ];
  }

  private async export(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { zoneName, text } = await this.exportZoneFile.execute(getRequester(res), req.params['id'] ?? '');
    res.setHeader('Content-Type', 'text/dns; charset=utf-8');
    res.setHeader('Content-Disposition', `attachment; filename="${zoneName}.zone"`);
    return unreadResponses.sendShared(res, text);
  }

  /** Reads the zone that other nameservers serve into the form. */
  private async read(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const source = readField(req, 'source');
    const nameserver = readOptionalField(req, 'nameserver');
    const tsig = readTsig(req);
    const outcome = await attempt(
      () =>
        this.readPresentZone.execute({
          ...getRequester(res),
          domainId: req.params['id'] ?? '',
          source,
          nameserver,
          tsig,
        }),
      { fields: SOURCE_FIELDS },
    );
    if ('issues' in outcome) {
      const sourceValues = { source, nameserver, 'tsig.name': tsig?.name, 'tsig.algorithm': tsig?.algorithm };
      return this.renderText(req, res, [], { sourceIssues: outcome.issues, sourceValues });
    }
    await this.renderText(req, res, [outcome.result.zoneFile], { warning: describeLeftOut(outcome.result) });
  }

  private async plan(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const domain = await this.find(req, res);
    const mode = readMode(req);
    const outcome = await attempt(
      () =>
        this.importZoneFile.plan({
          ...getRequester(res),
          domainId: domain.id,
          text: readText(res),
          mode,
          withProviderRecords: asksForProviderRecords(req),
        }),
      LINE_ISSUES,
    );
    if ('issues' in outcome) return this.renderForm(req, res, outcome.issues);
    const head: PageHead = { title: `Import into ${displayName(domain.name)}`, section: 'domains' };
    await this.renderer.renderAroundText(
      req,
      res,
      head,
      (placeholder) => (
        <ImportPlanPage
          domain={domain}
          plan={outcome.result}
          mode={mode}
          withProviderRecords={asksForProviderRecords(req)}
          textHtml={placeholder}
        />
      ),
      readText(res),
    );
  }

  private async apply(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const [domainId, expected] = [req.params['id'] ?? '', Number(readField(req, 'expected'))];
    const wanted = { domainId, mode: readMode(req), withProviderRecords: asksForProviderRecords(req) };
    const outcome = await attempt(() =>
      asPartOf(
        () => ({ kind: 'zone_file', ...wanted, version: expected, text: [...readText(res)].join('') }),
        () =>
          this.importZoneFile.execute({
            ...getRequester(res),
            ...wanted,
            text: readText(res),
            expectedVersions: [expected],
          }),
      ),
    );
    if ('issues' in outcome) return this.renderForm(req, res, outcome.issues);
    const { added, changed, removed } = outcome.result.result.change;
    const undo = buildRollBackForm(domainId, { version: expected, expected: outcome.result.zoneVersion });
    setFlash(req, {
      kind: 'success',
      text: `${readMode(req) === 'add' ? 'The records were added' : 'The zone file was imported'}: ${added.length} added, ${changed.length} changed, ${removed.length} removed.`,
      undo,
    });
    redirect(res, `/domains/${domainId}/records`);
  }

  private async renderForm(req: DashboardRequest, res: DashboardResponse, issues?: FormIssues): Promise<void> {
    await this.renderText(req, res, readText(res), { issues });
  }

  private async renderText(
    req: DashboardRequest,
    res: DashboardResponse,
    text: Iterable<string>,
    { issues, sourceIssues, sourceValues, warning }: ZoneFileForm,
  ): Promise<void> {
    const domain = await this.find(req, res);
    if (readField(req, SEVERAL_FIELD) !== '') {
      const page = (placeholder: string) => (
        <SeveralRecordsPage domain={domain} textHtml={placeholder} issues={issues} />
      );
      const several: PageHead = { title: `Add records to ${displayName(domain.name)}`, section: 'domains', issues };
      return this.renderer.renderAroundText(req, res, several, page, text);
    }
    const title = `Zone file of ${displayName(domain.name)}`;
    const head: PageHead = { title, section: 'domains', issues: issues ?? sourceIssues, warning };
    await this.renderer.renderAroundText(
      req,
      res,
      head,
      (placeholder) => (
        <ZoneFilePage
          domain={domain}
          textHtml={placeholder}
          mode={readMode(req)}
          withProviderRecords={asksForProviderRecords(req)}
          issues={issues}
          sourceIssues={sourceIssues}
          sourceValues={sourceValues}
        />
      ),
      text,
    );
  }

  private find(req: DashboardRequest, res: DashboardResponse): Promise<DomainState> {
    return findDomainOf(req, res, this.findDomain);
  }
}

export function describeLeftOut({ skipped, leftOut }: Pick<ImportableZone, 'skipped' | 'leftOut'>): string | undefined {
  const types = Object.entries(skipped).map(([type, count]) => `${count} ${type}`);
  const sentences = [
    ...(types.length > 0 ? [`Records that this service does not have were left out: ${types.join(', ')}.`] : []),
    ...leftOut.slice(0, MAX_LEFT_OUT).map((line) => `Left out: ${line}.`),
    ...(leftOut.length > MAX_LEFT_OUT ? [`${leftOut.length - MAX_LEFT_OUT} more were left out.`] : []),
  ];
  return sentences.length > 0 ? sentences.join(' ') : undefined;
}

function readMode(req: DashboardRequest): ImportMode {
  return readField(req, 'mode') === 'add' ? 'add' : 'replace';
}

/** Lines that are typed for the zone itself are meant as they are. */
function asksForProviderRecords(req: DashboardRequest): boolean {
  return readField(req, PROVIDER_FIELD) !== '' || readField(req, SEVERAL_FIELD) !== '';
}

/** Returns undefined if both the name and the secret are empty. */
export function readTsig(req: DashboardRequest) {
  const [name = '', secret = ''] = [readOptionalField(req, 'tsig.name'), readOptionalField(req, 'tsig.secret')];
  return name === '' && secret === '' ? undefined : { name, algorithm: readField(req, 'tsig.algorithm'), secret };
}

/** The zone file of the form, decoded chunk by chunk. Invalid UTF-8 becomes U+FFFD. */
export function* readText(res: DashboardResponse): Generator<string> {
  const decoder = new TextDecoder();
  for (const chunk of getUpload(res)) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}
