import { inject, injectable } from 'inversify';
import { ExportZoneFile } from '../../../application/dns/zones/export-zone-file';
import { ImportZoneFile } from '../../../application/dns/zones/import-zone-file';
import { FindDomain } from '../../../application/registration/find-domain';
import { streamLines } from '../../shared/stream-lines';
import { displayName } from '../domains/domain-words';
import { attempt, type FormIssues } from '../form-issues';
import { field } from '../form-fields';
import { setFlash } from '../notice';
import { uploadOf } from '../middleware/upload-body';
import { Pages, type PageHead } from '../pages';
import {
  BULK,
  requesterOf,
  WIDE,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../visitor';
import { restoring } from './restore-form';
import { ImportPlanPage } from './import-plan-page';
import { ZoneFilePage } from './zone-file-page';
import { seeOther } from '../see-other';

/** A zone as a file: out, and in with its plan before it is applied. */
@injectable()
export class ZoneFilePages implements DashboardPages {
  constructor(
    @inject(Pages) private readonly pages: Pages,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(ExportZoneFile) private readonly exportZoneFile: ExportZoneFile,
    @inject(ImportZoneFile) private readonly importZoneFile: ImportZoneFile,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/domains/:id/zone-file', 'member', this.form.bind(this)],
      ['get', '/domains/:id/zone-file/export', 'member', this.export.bind(this), { cost: WIDE }],
      ['post', '/domains/:id/zone-file/plan', 'member', this.plan.bind(this), { upload: true, cost: BULK }],
      ['post', '/domains/:id/zone-file', 'member', this.apply.bind(this), { upload: true, cost: BULK }],
    ];
  }

  private async export(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { zoneName, lines } = await this.exportZoneFile.execute(res.locals.visitor.accountId, req.params['id'] ?? '');
    res.setHeader('Content-Type', 'text/dns; charset=utf-8');
    res.setHeader('Content-Disposition', `attachment; filename="${zoneName}.zone"`);
    await streamLines(res, lines);
  }

  private async plan(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const domain = await this.find(req, res);
    const outcome = await attempt(() =>
      this.importZoneFile.plan({ ...requesterOf(res), domainId: domain.id, text: readText(res) }),
    );
    if ('issues' in outcome) return this.form(req, res, outcome.issues);
    const head: PageHead = { title: `Import into ${displayName(domain.name)}`, section: 'domains' };
    await this.pages.sendAroundText(
      req,
      res,
      head,
      (place) => <ImportPlanPage domain={domain} plan={outcome.result} textHtml={place} />,
      readText(res),
    );
  }

  private async apply(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const [domainId, expected] = [req.params['id'] ?? '', Number(field(req, 'expected'))];
    const outcome = await attempt(() =>
      this.importZoneFile.execute({ ...requesterOf(res), domainId, text: readText(res), expectedVersions: [expected] }),
    );
    if ('issues' in outcome) return this.form(req, res, outcome.issues);
    const { added, changed, removed } = outcome.result.result.change;
    const undo = restoring(domainId, { version: expected, expected: outcome.result.zoneVersion });
    setFlash(req, {
      kind: 'done',
      text: `The zone is what the file says: ${added.length} added, ${changed.length} changed, ${removed.length} removed.`,
      undo,
    });
    seeOther(res, `/domains/${domainId}/records`);
  }

  private async form(req: DashboardRequest, res: DashboardResponse, issues?: FormIssues): Promise<void> {
    const domain = await this.find(req, res);
    const head: PageHead = { title: `Zone file of ${displayName(domain.name)}`, section: 'domains', issues };
    await this.pages.sendAroundText(
      req,
      res,
      head,
      (place) => <ZoneFilePage domain={domain} textHtml={place} issues={issues} />,
      readText(res),
    );
  }

  private async find(req: DashboardRequest, res: DashboardResponse) {
    return (
      await this.findDomain.byId({ accountId: res.locals.visitor.accountId, domainId: req.params['id'] ?? '' })
    ).toState();
  }
}

/** The zone file of the form, decoded while it is read; with U+FFFD for what is not UTF-8. */
function* readText(res: DashboardResponse): Generator<string> {
  const decoder = new TextDecoder();
  for (const piece of uploadOf(res)) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}
