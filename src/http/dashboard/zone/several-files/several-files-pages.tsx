import { randomUUID } from 'node:crypto';
import { inject, injectable } from '../../../../application/ports/inject';
import { ImportZoneFile, type ImportMode } from '../../../../application/dns/zones/zone-files/import-zone-file';
import { MAX_FILES } from '../../../../application/portfolio/zone-files/read-archive';
import { ReviewZoneFiles } from '../../../../application/portfolio/zone-files/review-zone-files';
import { FindDomain } from '../../../../application/registration/find-domain';
import { waitForNextSlice } from '../../../../application/shared/run-cooperatively';
import { settleAll } from '../../../../application/shared/settle-all';
import { changesNothing } from '../../../../domain/dns/zone-change';
import {
  BULK,
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../../dashboard-route';
import { setFlash } from '../../flash';
import { readField } from '../../form-fields';
import { attempt, issuesText, type FormIssues } from '../../form-issues';
import { displayName } from '../../layout/domain/domain-labels';
import { getUpload, getUploadedFiles } from '../../middleware/upload-body';
import { PageRenderer } from '../../page-renderer';
import { ProposedForms } from '../../proposed-forms';
import { redirect } from '../../redirect';
import { MARK_FIELD, SeveralFilesPage, SeveralFilesReviewPage } from './several-files-page';

const TITLE = 'Import zone files';
const MAX_MESSAGES = 10;
/** Fewer than the connections that an account may have transactions on. */
const TOGETHER = 4;
const MARK = /^[0-9a-f-]{36}$/;

/** A reviewed file in the form that confirms it. */
interface ConfirmedFile {
  readonly name: string;
  readonly version: number;
  readonly text: string;
}

/** Zone files of many names, with one review. Each import is safe to repeat: zones that have the records stay as they are. */
@injectable()
export class SeveralFilesPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(ReviewZoneFiles) private readonly reviewFiles: ReviewZoneFiles,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(ImportZoneFile) private readonly importZoneFile: ImportZoneFile,
    @inject(ProposedForms) private readonly proposedForms: Pick<ProposedForms, 'propose'>,
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
    const imported: string[] = [];
    const proposed: string[] = [];
    const refused: string[] = [];
    const waiting = files.values();
    const work = async (): Promise<void> => {
      for (const file of waiting) {
        await waitForNextSlice(getRequester(res).accountId);
        const outcome = await attempt(() => this.importOrPropose(req, res, file));
        if ('issues' in outcome) refused.push(`${displayName(file.name)}: ${issuesText(outcome.issues)}`);
        else (outcome.result === 'imported' ? imported : proposed).push(displayName(file.name));
      }
    };
    await settleAll(Array.from({ length: TOGETHER }, work));
    const text = [
      `${imported.length} of ${files.length} zones imported.`,
      ...(proposed.length > 0 ? [`Proposed, because a second person is needed: ${proposed.join(', ')}.`] : []),
      ...refused.slice(0, MAX_MESSAGES),
      ...(refused.length > MAX_MESSAGES ? [`${refused.length - MAX_MESSAGES} more were refused.`] : []),
    ].join(' ');
    setFlash(req, { kind: imported.length === files.length ? 'success' : 'warning', text });
    redirect(res, proposed.length > 0 ? '/proposals' : '/domains');
  }

  private async importOrPropose(
    req: DashboardRequest,
    res: DashboardResponse,
    { name, version, text }: ConfirmedFile,
  ): Promise<'imported' | 'proposed'> {
    const requester = getRequester(res);
    try {
      const { id: domainId } = await this.findDomain.zoneByName({ ...requester, name });
      const zone = { ...requester, domainId, text, mode: readMode(req), expectedVersions: [version] };
      await this.importZoneFile.execute(zone);
      return 'imported';
    } catch (error) {
      await this.proposedForms.propose(res, error);
      return 'proposed';
    }
  }
}

function readMode(req: DashboardRequest): ImportMode {
  return readField(req, 'mode') === 'add' ? 'add' : 'replace';
}

/** The files of the form, each after the line that names its zone and its version. */
function readConfirmed(text: string, mark: string): readonly ConfirmedFile[] {
  if (!MARK.test(mark)) return [];
  const parts = text.split(new RegExp(`^;${mark} (\\S+) (\\d+)\\r?\\n`, 'm'));
  return Array.from({ length: Math.min((parts.length - 1) / 3, MAX_FILES) }, (_none, index) => ({
    name: parts[index * 3 + 1] ?? '',
    version: Number(parts[index * 3 + 2]),
    text: parts[index * 3 + 3] ?? '',
  }));
}
