import { inject, injectable } from '../../../application/ports/inject';
import { EditRecords, type EditRecordsCommand } from '../../../application/dns/records/edit-records';
import { ZoneReader } from '../../../application/ports/dns/zone-repository';
import { FindDomain } from '../../../application/registration/find-domain';
import type { DnsRecordState } from '../../../domain/dns/records/dns-record';
import { joinTxt } from '../../../domain/dns/records/text/txt-content';
import type { DomainState } from '../../../domain/registration/domain';
import { RouteNotFound } from '../../shared/errors';
import {
  getRequester,
  WIDE,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { findDomainOf } from '../layout/domain/domain-request';
import { displayName } from '../layout/domain/domain-labels';
import { setFlash } from '../flash';
import { readField, readParameter } from '../form-fields';
import { attempt } from '../form-issues';
import { PageRenderer } from '../page-renderer';
import { redirect } from '../redirect';
import { buildRollBackForm } from '../zone/history/roll-back-form';
import { isMailPolicyName, MAIL_POLICIES, type MailPolicyName } from './mail-forms';
import { MailPage, type MailPageProps } from './mail-page';

/** Builders of the SPF and the DMARC record. Saving replaces all records of the kind by one. */
@injectable()
export class MailPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(ZoneReader) private readonly zones: Pick<ZoneReader, 'recordsAt'>,
    @inject(EditRecords) private readonly editRecords: EditRecords,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/domains/:id/mail', 'read', this.show.bind(this)],
      ['get', '/domains/:id/mail/:policy', 'write', this.preview.bind(this), { cost: WIDE }],
      ['post', '/domains/:id/mail/:policy', 'write', this.save.bind(this)],
    ];
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    await this.render(req, res, await this.find(req, res));
  }

  private async preview(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const policy = policyOf(req);
    const domain = await this.find(req, res);
    const { fields, toContent } = MAIL_POLICIES[policy];
    const values = Object.fromEntries(fields.map((name) => [name, readParameter(req, name)]));
    const outcome = await attempt(
      async () => {
        const { content, warning } = toContent(values);
        const edits = await this.planEdits(domain, policy, content);
        const plan = await this.editRecords.plan({ ...getRequester(res), domainId: domain.id, ...edits });
        return { content, plan: warning === undefined ? plan : { ...plan, warnings: [warning, ...plan.warnings] } };
      },
      { fields },
    );
    await this.render(
      req,
      res,
      domain,
      'issues' in outcome ? { policy, values, issues: outcome.issues } : { policy, values, preview: outcome.result },
    );
  }

  private async save(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const policy = policyOf(req);
    const domain = await this.find(req, res);
    const [content, expected] = [readField(req, 'content'), Number(readField(req, 'expected'))];
    const edits = await this.planEdits(domain, policy, content);
    const outcome = await attempt(() =>
      this.editRecords.execute({ ...getRequester(res), domainId: domain.id, expectedVersions: [expected], ...edits }),
    );
    if ('issues' in outcome)
      return this.render(req, res, domain, {
        policy,
        values: MAIL_POLICIES[policy].toValues(joinTxt(content)),
        issues: outcome.issues,
      });
    const { zoneVersion } = outcome.result;
    setFlash(req, {
      kind: 'success',
      text: `Saved the ${policy.toUpperCase()} record.`,
      undo: buildRollBackForm(domain.id, { version: expected, expected: zoneVersion }),
    });
    redirect(res, `/domains/${domain.id}/records`);
  }

  private async planEdits(
    { id }: DomainState,
    policy: MailPolicyName,
    content: string,
  ): Promise<Pick<EditRecordsCommand, 'create' | 'update' | 'delete'>> {
    const [first, ...others] = await this.present(id, policy);
    const removed = others.map((record) => record.id);
    if (first) return { create: [], update: [{ id: first.id, patch: { content } }], delete: removed };
    return { create: [{ type: 'TXT', name: MAIL_POLICIES[policy].recordName, content }], update: [], delete: [] };
  }

  private async present(domainId: string, policy: MailPolicyName): Promise<readonly DnsRecordState[]> {
    const { recordName, matches } = MAIL_POLICIES[policy];
    const found = await this.zones.recordsAt([{ domainId, names: [recordName] }]);
    return (found.get(domainId) ?? [])
      .map((record) => record.toState())
      .filter(({ type, content }) => type === 'TXT' && matches(joinTxt(content)));
  }

  private async render(
    req: DashboardRequest,
    res: DashboardResponse,
    domain: DomainState,
    edited?: MailPageProps['edited'],
  ): Promise<void> {
    const [[spf], [dmarc]] = await Promise.all([this.present(domain.id, 'spf'), this.present(domain.id, 'dmarc')]);
    this.renderer.render(
      req,
      res,
      { title: `SPF and DMARC of ${displayName(domain.name)}`, section: 'domains', issues: edited?.issues },
      <MailPage
        domain={domain}
        present={{ spf: spf && joinTxt(spf.content), dmarc: dmarc && joinTxt(dmarc.content) }}
        edited={edited}
      />,
    );
  }

  private find(req: DashboardRequest, res: DashboardResponse): Promise<DomainState> {
    return findDomainOf(req, res, this.findDomain);
  }
}

function policyOf(req: DashboardRequest): MailPolicyName {
  const text = req.params['policy'] ?? '';
  if (!isMailPolicyName(text)) throw new RouteNotFound();
  return text;
}
