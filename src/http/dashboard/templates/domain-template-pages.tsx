import { inject, injectable } from '../../../application/ports/inject';
import { ApplyTemplate } from '../../../application/dns/templates/apply-template';
import { TemplateLibrary } from '../../../application/dns/templates/template-library';
import { FindDomain } from '../../../application/registration/find-domain';
import type { RecordTemplate, TemplateValues } from '../../../domain/dns/templates/record-template';
import {
  BULK,
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import type { DomainState } from '../../../domain/registration/domain';
import { findDomainOf } from '../layout/domain/domain-request';
import { displayName } from '../layout/domain/domain-labels';
import { setFlash } from '../flash';
import { readField, readParameter } from '../form-fields';
import { attempt, type FormIssues } from '../form-issues';
import { PageRenderer } from '../page-renderer';
import { redirect } from '../redirect';
import { buildRollBackForm } from '../zone/history/roll-back-form';
import { ApplyTemplatePage, EXPECTED_FIELD } from './apply-template-page';
import { DomainTemplatesPage } from './template-list-page';

/** Record templates applied to a domain, with a dry run first. */
@injectable()
export class DomainTemplatePages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(TemplateLibrary) private readonly library: TemplateLibrary,
    @inject(ApplyTemplate) private readonly applyTemplate: ApplyTemplate,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/domains/:id/templates', 'read', this.list.bind(this)],
      ['get', '/domains/:id/templates/:templateId', 'write', this.plan.bind(this), { cost: BULK }],
      ['post', '/domains/:id/templates/:templateId', 'write', this.apply.bind(this), { cost: BULK }],
    ];
  }

  private async list(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const domain = await this.find(req, res);
    const templates = await this.library.list(getRequester(res));
    this.renderer.render(
      req,
      res,
      { title: `Record templates for ${displayName(domain.name)}`, section: 'domains' },
      <DomainTemplatesPage domain={domain} templates={templates} />,
    );
  }

  /** Asks for the values first, if the template needs any. */
  private async plan(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const template = await this.template(req, res);
    const values = valuesOf(template, (name) => readParameter(req, name));
    const isAsked = template.variables.some(({ name }) => name in req.query);
    if (template.variables.length > 0 && !isAsked) return this.render(req, res, template, values);
    await this.renderPlan(req, res, template, values);
  }

  private async apply(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const template = await this.template(req, res);
    const [domainId, expected] = [req.params['id'] ?? '', Number(readField(req, EXPECTED_FIELD))];
    const values = valuesOf(template, (name) => readField(req, name));
    const outcome = await attempt(() =>
      this.applyTemplate.execute({
        ...getRequester(res),
        domainId,
        templateId: template.id,
        values,
        expectedVersions: [expected],
      }),
    );
    if ('issues' in outcome) return this.render(req, res, template, values, { issues: outcome.issues });
    const { added, changed, removed } = outcome.result.result.change;
    setFlash(req, {
      kind: 'success',
      text: `${template.name} was applied: ${added.length} added, ${changed.length} changed, ${removed.length} removed.`,
      undo: buildRollBackForm(domainId, { version: expected, expected: outcome.result.zoneVersion }),
    });
    redirect(res, `/domains/${domainId}/records`);
  }

  private async renderPlan(
    req: DashboardRequest,
    res: DashboardResponse,
    template: RecordTemplate,
    values: TemplateValues,
  ): Promise<void> {
    const outcome = await attempt(
      () =>
        this.applyTemplate.plan({
          ...getRequester(res),
          domainId: req.params['id'] ?? '',
          templateId: template.id,
          values,
        }),
      { prefix: 'values.', fields: template.variables.map(({ name }) => name) },
    );
    if ('issues' in outcome) return this.render(req, res, template, values, { issues: outcome.issues });
    await this.render(req, res, template, values, { plan: outcome.result });
  }

  private async render(
    req: DashboardRequest,
    res: DashboardResponse,
    template: RecordTemplate,
    values: TemplateValues,
    outcome: {
      readonly issues?: FormIssues;
      readonly plan?: Awaited<ReturnType<ApplyTemplate['plan']>>;
    } = {},
  ): Promise<void> {
    const domain = await this.find(req, res);
    this.renderer.render(
      req,
      res,
      { title: `${template.name} for ${displayName(domain.name)}`, section: 'domains', issues: outcome.issues },
      <ApplyTemplatePage domain={domain} template={template} values={values} {...outcome} />,
    );
  }

  private template(req: DashboardRequest, res: DashboardResponse): Promise<RecordTemplate> {
    return this.library.find(getRequester(res), req.params['templateId'] ?? '');
  }

  private find(req: DashboardRequest, res: DashboardResponse): Promise<DomainState> {
    return findDomainOf(req, res, this.findDomain);
  }
}

function valuesOf({ variables }: RecordTemplate, read: (name: string) => string): TemplateValues {
  return Object.fromEntries(variables.map(({ name }) => [name, read(name)]));
}
