import { inject, injectable } from '../../../../application/ports/inject';
import { ManageTrustRules } from '../../../../application/access/trust/manage-trust-rules';
import { SCOPES } from '../../../../domain/access/api-key';
import type { GivenTrustRule, TrustRule } from '../../../../domain/access/trust/trust-rule';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../../dashboard-route';
import { DashboardSettings } from '../../dashboard-settings';
import { setFlash } from '../../flash';
import { readField } from '../../form-fields';
import { attempt, type FormIssues } from '../../form-issues';
import type { FormValues } from '../../layout/forms/forms';
import { PageRenderer } from '../../page-renderer';
import { Reauthentication } from '../../reauthentication/reauthentication';
import { redirect } from '../../redirect';
import { serviceUrl } from '../../service-url';
import { TrustRuleFormPage, TrustRulesPage } from './trust-rules-page';

const PATH = '/api-keys/trust-rules';
const FIELDS = ['name', 'issuer', 'audience', 'claims', 'scope', 'domains', 'propose', 'minutes'] as const;

/** Rules by which jobs of CI get API keys, for the owners of the account. */
@injectable()
export class TrustRulePages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(Reauthentication) private readonly reauthentication: Reauthentication,
    @inject(DashboardSettings) private readonly settings: DashboardSettings,
    @inject(ManageTrustRules) private readonly rules: ManageTrustRules,
  ) {}

  get routes(): readonly DashboardRoute[] {
    const before = this.reauthentication.require();
    return [
      ['get', PATH, 'owner', this.list.bind(this)],
      ['get', `${PATH}/new`, 'owner', this.showNew.bind(this)],
      ['post', PATH, 'owner', this.create.bind(this), { before }],
      ['get', `${PATH}/:ruleId`, 'owner', this.show.bind(this)],
      ['post', `${PATH}/:ruleId`, 'owner', this.change.bind(this), { before }],
      ['post', `${PATH}/:ruleId/delete`, 'owner', this.remove.bind(this)],
    ];
  }

  private async list(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const rules = await this.rules.list(getRequester(res));
    this.renderer.render(req, res, { title: 'Trust rules', section: 'api-keys' }, <TrustRulesPage rules={rules} />);
  }

  private showNew(req: DashboardRequest, res: DashboardResponse): void {
    const audience = serviceUrl(req, this.settings);
    this.renderForm(req, res, undefined, { audience, scope: 'READ', minutes: '15' });
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const rule = await this.rules.find(getRequester(res), ruleId(req));
    this.renderForm(req, res, rule, formValuesOf(rule));
  }

  private async create(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const outcome = await attemptForm(() => this.rules.create(getRequester(res), readRule(req)));
    if ('issues' in outcome) return this.renderForm(req, res, undefined, readValues(req), outcome.issues);
    this.finish(req, res, `Created the trust rule “${outcome.result.name}”. Jobs name it by its id.`);
  }

  private async change(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const requester = getRequester(res);
    const rule = await this.rules.find(requester, ruleId(req));
    const outcome = await attemptForm(() => this.rules.change(requester, rule.id, readRule(req, rule)));
    if ('issues' in outcome) return this.renderForm(req, res, rule, readValues(req), outcome.issues);
    this.finish(req, res, `Saved the trust rule “${outcome.result.name}”.`);
  }

  private async remove(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { name } = await this.rules.remove(getRequester(res), ruleId(req));
    this.finish(req, res, `Deleted the trust rule “${name}”. The keys that jobs got by it are revoked.`);
  }

  private finish(req: DashboardRequest, res: DashboardResponse, text: string): void {
    setFlash(req, { kind: 'success', text });
    redirect(res, PATH);
  }

  private renderForm(
    req: DashboardRequest,
    res: DashboardResponse,
    rule: TrustRule | undefined,
    values: FormValues,
    issues?: FormIssues,
  ): void {
    const title = rule ? `Trust rule “${rule.name}”` : 'New trust rule';
    this.renderer.render(
      req,
      res,
      { title, section: 'api-keys', issues },
      <TrustRuleFormPage title={title} rule={rule} values={values} issues={issues} />,
    );
  }
}

function ruleId(req: DashboardRequest): string {
  return req.params['ruleId'] ?? '';
}

function readValues(req: DashboardRequest): FormValues {
  return Object.fromEntries(FIELDS.map((name) => [name, readField(req, name)]));
}

/** Limits that the form does not have stay as they are. */
function readRule(req: DashboardRequest, former?: TrustRule): GivenTrustRule {
  const { domains: _domains, propose: _propose, ...others } = former?.limits ?? {};
  const domains = readField(req, 'domains')
    .split(/[\s,]+/)
    .filter((word) => word !== '');
  const isProposing = readField(req, 'propose') !== '';
  const limits = { ...others, ...(domains.length > 0 && { domains }), ...(isProposing && { propose: true }) };
  return {
    name: readField(req, 'name'),
    issuer: readField(req, 'issuer').trim(),
    audience: readField(req, 'audience').trim(),
    claims: readClaims(readField(req, 'claims')),
    scope: SCOPES.find((scope) => scope === readField(req, 'scope')),
    limits,
    minutes: Number(readField(req, 'minutes')),
  };
}

/** Lines `name=value`; a name that is there again has another value that is accepted. */
function readClaims(text: string): Readonly<Record<string, readonly string[]>> {
  const claims = new Map<string, string[]>();
  for (const line of text.split(/\r?\n/).filter((each) => each.trim() !== '')) {
    const [name = '', ...rest] = line.split('=');
    claims.set(name.trim(), [...(claims.get(name.trim()) ?? []), rest.join('=').trim()]);
  }
  return Object.fromEntries(claims);
}

function formValuesOf({ name, issuer, audience, claims, scope, limits, minutes }: TrustRule): FormValues {
  return {
    name,
    issuer,
    audience,
    claims: Object.entries(claims)
      .flatMap(([claim, values]) => values.map((value) => `${claim}=${value}`))
      .join('\n'),
    scope,
    domains: limits?.domains?.join('\n'),
    propose: limits?.propose ? 'on' : undefined,
    minutes: String(minutes),
  };
}

/** An issue of a claim or a limit is shown at its field. */
async function attemptForm<T>(work: () => Promise<T>): ReturnType<typeof attempt<T>> {
  const outcome = await attempt(work);
  if (!('issues' in outcome)) return outcome;
  const fields = [...outcome.issues.fields].map(
    ([field, message]) => [field.replace(/^limits\./, '').replace(/[.[].*$/, ''), message] as const,
  );
  return { issues: { ...outcome.issues, fields: new Map(fields) } };
}
