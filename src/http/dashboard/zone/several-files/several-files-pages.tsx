import { randomUUID } from 'node:crypto';
import { inject, injectable } from '../../../../application/ports/inject';
import type { ImportMode } from '../../../../application/dns/zones/zone-files/import-zone-file';
import { MAX_FILES } from '../../../../application/portfolio/zone-files/read-archive';
import { ReviewZoneFiles } from '../../../../application/portfolio/zone-files/review-zone-files';
import {
  StartBulkZoneFiles,
  type BulkZoneFile,
} from '../../../../application/portfolio/zone-files/start-bulk-zone-files';
import { changesNothing } from '../../../../domain/dns/zone-change';
import {
  BULK,
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../../dashboard-route';
import { readField } from '../../form-fields';
import { attempt, type FormIssues } from '../../form-issues';
import { FILES_FIELD, getUpload, getUploadedFiles } from '../../middleware/upload-body';
import { PageRenderer } from '../../page-renderer';
import { redirect } from '../../redirect';
import { MARK_FIELD, SeveralFilesPage, SeveralFilesReviewPage } from './several-files-page';

const TITLE = 'Import zone files';
const MARK = /^[0-9a-f-]{36}$/;

/** Zone files of many names: one review of what each changes, then a job. */
@injectable()
export class SeveralFilesPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(ReviewZoneFiles) private readonly reviewFiles: ReviewZoneFiles,
    @inject(StartBulkZoneFiles) private readonly startZoneFiles: StartBulkZoneFiles,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/zone-files', 'write', (req, res) => this.show(req, res)],
      ['post', '/zone-files/review', 'write', this.review.bind(this), { upload: true, cost: BULK }],
      ['post', '/zone-files', 'write', this.apply.bind(this), { upload: true, cost: BULK }],
    ];
  }

  private show(req: DashboardRequest, res: DashboardResponse, issues?: FormIssues): void {
    const page = <SeveralFilesPage mode={readMode(req)} issues={issues} />;
    this.renderer.render(req, res, { title: TITLE, section: 'add', issues }, page);
  }

  private async review(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const mode = readMode(req);
    const files = getUploadedFiles(res).map(({ fileName, chunks }) => ({ fileName, bytes: Buffer.concat(chunks) }));
    const outcome = await attempt(() => this.reviewFiles.execute({ ...getRequester(res), files, mode }));
    if ('issues' in outcome) return this.show(req, res, outcome.issues);
    const review = outcome.result;
    // A file that someone else wrote cannot contain it, and so cannot name another zone than the review.
    const mark = randomUUID();
    const texts = review.zones
      .filter(({ plan }) => !changesNothing(plan.change))
      .map(({ name, plan, text }) => `;${mark} ${name} ${plan.zoneVersion}\n${text}\n`);
    await this.renderer.renderAroundText(
      req,
      res,
      { title: TITLE, section: 'add' },
      (placeholder) => <SeveralFilesReviewPage review={review} mode={mode} mark={mark} textHtml={placeholder} />,
      texts,
    );
  }

  private async apply(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const files = readConfirmed(Buffer.concat(getUpload(res)).toString('utf8'), readField(req, MARK_FIELD));
    const command = { ...getRequester(res), files, mode: readMode(req) };
    const outcome = await attempt(() => this.startZoneFiles.execute(command), {
      prefix: 'zone_',
      fields: [FILES_FIELD],
    });
    if ('issues' in outcome) return this.show(req, res, outcome.issues);
    redirect(res, `/bulk/${outcome.result.id}`);
  }
}

function readMode(req: DashboardRequest): ImportMode {
  return readField(req, 'mode') === 'add' ? 'add' : 'replace';
}

/** The files of the form, each after the line that names its zone and its version. */
function readConfirmed(text: string, mark: string): readonly BulkZoneFile[] {
  if (!MARK.test(mark)) return [];
  const parts = text.split(new RegExp(`^;${mark} (\\S+) (\\d+)\\r?\\n`, 'm'));
  return Array.from({ length: Math.min((parts.length - 1) / 3, MAX_FILES) }, (_none, index) => ({
    name: parts[index * 3 + 1] ?? '',
    version: Number(parts[index * 3 + 2]),
    text: parts[index * 3 + 3] ?? '',
  }));
}
