import { ApprovalRules } from '../../../application/access/approvals/approval-rules';
import { inject, injectable } from '../../../application/ports/inject';
import { RegistrationSettings } from '../../../application/registration/registration-settings';
import { APPROVAL_CHANGES, versionOfRules, type GivenRule } from '../../../domain/access/approvals/approval-rule';
import { ofAmount } from '../../../domain/shared/money';
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
import { Reauthentication } from '../reauthentication/reauthentication';
import { redirect } from '../redirect';
import { ApprovalRulesPage, ruleText } from './approval-rules-page';

const FIELDS = ['tags', 'types', 'names', 'over'] as const;

/** Which changes need a second person. */
@injectable()
export class ApprovalRulesPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(Reauthentication) private readonly reauthentication: Reauthentication,
    @inject(ApprovalRules) private readonly rules: ApprovalRules,
    @inject(RegistrationSettings) private readonly settings: Pick<RegistrationSettings, 'currency'>,
  ) {}

  get routes(): readonly DashboardRoute[] {
    const before = this.reauthentication.require();
    return [
      ['get', '/approval-rules', 'owner', (req, res) => this.show(req, res)],
      ['post', '/approval-rules', 'owner', this.add.bind(this), { before }],
      ['post', '/approval-rules/delete', 'owner', this.remove.bind(this), { before }],
    ];
  }

  private async show(
    req: DashboardRequest,
    res: DashboardResponse,
    values: FormValues = {},
    issues?: FormIssues,
  ): Promise<void> {
    const rules = await this.rules.read(getRequester(res));
    const { currency } = this.settings;
    this.renderer.render(
      req,
      res,
      { title: 'Approval rules', section: 'proposals', issues },
      <ApprovalRulesPage rules={rules} currency={currency} values={values} issues={issues} />,
    );
  }

  private async add(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const requester = getRequester(res);
    const outcome = await attempt(async () => {
      const present = await this.rules.read(requester);
      const rules = [...present, this.readRule(req)];
      return this.rules.change({ ...requester, rules, expected: [versionOfRules(present)] });
    });
    if ('issues' in outcome) {
      const names = [...APPROVAL_CHANGES, ...FIELDS];
      const values = Object.fromEntries(names.map((name) => [name, readField(req, name)]));
      return this.show(req, res, values, inForm(outcome.issues));
    }
    setFlash(req, { kind: 'success', text: 'The rule is added.' });
    redirect(res, '/approval-rules');
  }

  private async remove(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const requester = getRequester(res);
    const removed = readField(req, 'rule');
    const present = await this.rules.read(requester);
    const rules = present.filter((rule) => ruleText(rule) !== removed);
    await this.rules.change({ ...requester, rules, expected: [versionOfRules(present)] });
    setFlash(req, { kind: 'success', text: 'The rule is deleted.' });
    redirect(res, '/approval-rules');
  }

  private readRule(req: DashboardRequest): GivenRule {
    const list = (name: string) =>
      readField(req, name)
        .split(/[\s,]+/)
        .filter((item) => item !== '');
    const [tags, types, names] = [list('tags'), list('types'), list('names')];
    const over = readField(req, 'over').trim();
    return {
      changes: APPROVAL_CHANGES.filter((change) => readField(req, change) === 'on'),
      ...(tags.length > 0 && { tags }),
      ...(types.length > 0 && { types }),
      ...(names.length > 0 && { names }),
      ...(over !== '' && { over: ofAmount(Number(over), this.settings.currency) }),
    };
  }
}

/** `rules[2].types` is the field `types`; the others are told above the form. */
function inForm(issues: FormIssues): FormIssues {
  const fields = [...issues.fields].map(([path, text]) => [path.replace(/^rules\[\d+\]\./, ''), text] as const);
  const known = new Map(fields.filter(([name]) => FIELDS.some((field) => field === name)));
  const others = fields.filter(([name]) => !known.has(name)).map(([name, text]) => `${name} ${text}`);
  return { ...issues, fields: known, message: [issues.message, ...others].filter(Boolean).join('. ') || undefined };
}
