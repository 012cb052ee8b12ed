import { inject, injectable } from '../../../application/ports/inject';
import { RegistryRejected, RegistryUnavailable } from '../../../application/ports/registry/registry-errors';
import { FindImport, type ImportReport } from '../../../application/registrar/imports/find-import';
import { ImportableRegistries } from '../../../application/registrar/imports/importable-registries';
import { ListHeldNames, type HeldNamePage } from '../../../application/registrar/imports/list-held-names';
import { StartImport } from '../../../application/registrar/imports/start-import';
import { isImportFinished } from '../../../domain/registrar/name-import';
import {
  BULK,
  getRequester,
  WIDE,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { readField, readFields, readParameter } from '../form-fields';
import { attempt, type FormIssues } from '../form-issues';
import { PageHeading } from '../layout/components';
import { followProgress, RefreshLink } from '../layout/live-progress';
import { PageRenderer } from '../page-renderer';
import { redirect } from '../redirect';
import { ImportPage } from './import-page';
import { ImportFailures, ImportProgress } from './import-progress';

const LATEST = 5;

/** "Bring your domains": import of names that a registrar holds. */
@injectable()
export class ImportPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(ImportableRegistries) private readonly registries: ImportableRegistries,
    @inject(ListHeldNames) private readonly heldNames: ListHeldNames,
    @inject(StartImport) private readonly startImport: StartImport,
    @inject(FindImport) private readonly findImport: FindImport,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/imports', 'owner', this.choose.bind(this), { cost: WIDE }],
      ['post', '/imports', 'owner', this.start.bind(this), { cost: BULK }],
      ['get', '/imports/:importId', 'owner', this.show.bind(this)],
    ];
  }

  private choose(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    return this.render(req, res, readParameter(req, 'registry'), '');
  }

  private async start(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const [registry, typed] = [readField(req, 'registry'), readField(req, 'names')];
    const which = readField(req, 'which');
    const names = which === 'chosen' ? readFields(req, 'name') : typed.split(/\s+/).filter((name) => name !== '');
    const outcome = await attempt(() =>
      this.startImport.execute({ ...getRequester(res), registry, names: which === 'all' ? undefined : names }),
    );
    if ('issues' in outcome) return this.render(req, res, registry, typed, asOneField(outcome.issues));
    redirect(res, `/imports/${outcome.result.id}`);
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const report = await this.findImport.execute({ ...getRequester(res), importId: req.params['importId'] ?? '' });
    this.renderer.render(req, res, { title: 'Import', section: 'add' }, <ImportReportPage report={report} />);
  }

  private async render(
    req: DashboardRequest,
    res: DashboardResponse,
    wanted: string,
    typed: string,
    issues?: FormIssues,
  ): Promise<void> {
    const requester = getRequester(res);
    const open = (await this.registries.of(requester)).map(({ registry }) => registry);
    const registry = open.find((each) => each === wanted) ?? open[0];
    const listed = registry === undefined ? undefined : await this.list(req, res, registry);
    const latest = await this.findImport.latest(requester.accountId, LATEST);
    this.renderer.render(
      req,
      res,
      { title: 'Bring your domains', section: 'add', issues, warning: listed?.warning },
      <ImportPage
        registries={open}
        registry={registry}
        held={listed?.page}
        latest={latest}
        values={{ names: typed }}
        issues={issues}
      />,
    );
  }

  /** A registrar that does not respond, or lists no names, leaves the form for names. */
  private async list(
    req: DashboardRequest,
    res: DashboardResponse,
    registry: string,
  ): Promise<{ readonly page?: HeldNamePage; readonly warning?: string }> {
    const cursor = readParameter(req, 'cursor');
    try {
      const query = { ...getRequester(res), registry, cursor: cursor === '' ? undefined : cursor };
      return { page: await this.heldNames.page(query) };
    } catch (error) {
      if (error instanceof RegistryUnavailable)
        return { warning: `The registrar ${registry} does not respond at the moment. Try again later.` };
      if (error instanceof RegistryRejected) return {};
      throw error;
    }
  }
}

function ImportReportPage({ report }: { readonly report: ImportReport }) {
  const { id } = report.nameImport;
  const path = `/imports/${id}`;
  const isFinished = isImportFinished(report.nameImport);
  const following = isFinished ? {} : followProgress({ kind: 'import', id, path, element: 'import' });
  return (
    <div id="import" {...following}>
      <PageHeading title="Import" lead="You can leave this page. The import continues in the background." />
      <section class="card narrow">
        <ImportProgress report={report} />
        {!isFinished && <RefreshLink path={path} />}
        <p class="actions mt-4">
          <a class="button primary" href="/domains">
            View domains
          </a>
          <a class="button" href="/imports">
            Import more
          </a>
        </p>
        {report.counts.imported > 0 && (
          <p>
            The zones of imported domains are empty. Import their DNS records before you switch their nameservers to
            this service.
          </p>
        )}
      </section>
      <ImportFailures failures={report.failures} />
    </div>
  );
}

/** The form has one field for all names. */
function asOneField(issues: FormIssues): FormIssues {
  const texts = [...issues.fields].map(([field, text]) => `${field}: ${text}`);
  return texts.length === 0 ? issues : { ...issues, fields: new Map([['names', texts.slice(0, 5).join('; ')]]) };
}
