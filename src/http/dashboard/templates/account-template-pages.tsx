import { inject, injectable } from '../../../application/ports/inject';
import { EditTemplates } from '../../../application/dns/templates/edit-templates';
import { TemplateLibrary } from '../../../application/dns/templates/template-library';
import { TemplateNotFound } from '../../../domain/dns/templates/record-template';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { setFlash } from '../flash';
import { readField } from '../form-fields';
import { attempt, type FormIssues } from '../form-issues';
import type { FormValues } from '../layout/forms/forms';
import { PageRenderer } from '../page-renderer';
import { redirect } from '../redirect';
import { TemplateFormPage } from './template-form-page';
import { AccountTemplatesPage } from './template-list-page';

const FIELDS = ['name', 'description', 'records'] as const;

/** The account's own record templates: create, change, delete, undo. */
@injectable()
export class AccountTemplatePages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(TemplateLibrary) private readonly library: TemplateLibrary,
    @inject(EditTemplates) private readonly templates: EditTemplates,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/record-templates', 'read', this.list.bind(this)],
      ['post', '/record-templates', 'write', this.create.bind(this), { everyDomain: true }],
      ['get', '/record-templates/new', 'write', this.showNew.bind(this), { everyDomain: true }],
      ['get', '/record-templates/:templateId', 'read', this.show.bind(this)],
      ['post', '/record-templates/:templateId', 'write', this.change.bind(this), { everyDomain: true }],
      ['post', '/record-templates/:templateId/delete', 'write', this.remove.bind(this), { everyDomain: true }],
    ];
  }

  private async list(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const templates = await this.library.list(getRequester(res));
    this.renderer.render(
      req,
      res,
      { title: 'Record templates', section: 'templates' },
      <AccountTemplatesPage templates={templates} />,
    );
  }

  private showNew(req: DashboardRequest, res: DashboardResponse): void {
    this.renderForm(req, res, undefined, {});
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { id, name, description, records, source } = await this.library.find(getRequester(res), templateId(req));
    if (source !== null) throw new TemplateNotFound();
    this.renderForm(req, res, id, { name, description, records });
  }

  private async create(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const text = readText(req);
    const outcome = await attempt(() => this.templates.create(getRequester(res), text), { fields: FIELDS });
    if ('issues' in outcome) return this.renderForm(req, res, undefined, text, outcome.issues);
    setFlash(req, {
      kind: 'success',
      text: `Created the template “${outcome.result.name}”.`,
      undo: { action: `/record-templates/${outcome.result.id}/delete`, fields: {} },
    });
    redirect(res, '/record-templates');
  }

  private async change(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const [id, text] = [templateId(req), readText(req)];
    const { name, description, records } = await this.library.find(getRequester(res), id);
    const outcome = await attempt(() => this.templates.change(getRequester(res), id, text), { fields: FIELDS });
    if ('issues' in outcome) return this.renderForm(req, res, id, text, outcome.issues);
    setFlash(req, {
      kind: 'success',
      text: `Saved the template “${outcome.result.name}”.`,
      undo: { action: `/record-templates/${id}`, fields: { name, description, records } },
    });
    redirect(res, '/record-templates');
  }

  private async remove(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { name, description, records } = await this.templates.remove(getRequester(res), templateId(req));
    setFlash(req, {
      kind: 'success',
      text: `Deleted the template “${name}”.`,
      undo: { action: '/record-templates', fields: { name, description, records } },
    });
    redirect(res, '/record-templates');
  }

  private renderForm(
    req: DashboardRequest,
    res: DashboardResponse,
    id: string | undefined,
    values: FormValues,
    issues?: FormIssues,
  ): void {
    const title = id === undefined ? 'New record template' : 'Edit record template';
    this.renderer.render(
      req,
      res,
      { title, section: 'templates', issues },
      <TemplateFormPage title={title} id={id} values={values} issues={issues} />,
    );
  }
}

function templateId(req: DashboardRequest): string {
  return req.params['templateId'] ?? '';
}

function readText(req: DashboardRequest) {
  return {
    name: readField(req, 'name'),
    description: readField(req, 'description'),
    records: readField(req, 'records'),
  };
}
