import { inject, injectable } from '../../../application/ports/inject';
import { TemplateLibrary } from '../../../application/dns/templates/template-library';
import { CreateZone, type CreatedZone, type GivenZone } from '../../../application/hosting/create-zone';
import type { ZoneContentsSource } from '../../../application/hosting/zone-contents';
import { FindDomain } from '../../../application/registration/find-domain';
import { RegistrationSettings } from '../../../application/registration/registration-settings';
import { RecordsHidden } from '../../../domain/dns/dns-errors';
import type { RecordTemplate } from '../../../domain/dns/templates/record-template';
import type { DomainState } from '../../../domain/registration/domain';
import { DomainNotFound, ZoneExists } from '../../../domain/shared/domain-errors';
import {
  BULK,
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { setFlash } from '../flash';
import { readField, readOptionalField, readParameter } from '../form-fields';
import { attempt, type FormIssues } from '../form-issues';
import { displayName } from '../layout/domain/domain-labels';
import type { FormValues } from '../layout/forms/forms';
import { PageRenderer, type PageHead } from '../page-renderer';
import { redirect } from '../redirect';
import { describeLeftOut, LINE_ISSUES, readText, readTsig, SOURCE_FIELDS } from '../zone/zone-file-pages';
import { HostDnsPage } from './host-dns-page';
import { HostPlanPage, HostTemplatePage, HostZoneFilePage, valueField } from './host-contents-pages';

const NETWORK = /^[\d.:a-f]+\/\d{1,3}$/i;
const FIELDS = ['name', 'network', ...SOURCE_FIELDS];
const NO_MESSAGE = { message: undefined, fields: new Map<string, string>() };

/** What the form asks for: the zone is new, the account has it already, or it would hide records. */
type Outcome = { readonly zone: CreatedZone } | { readonly present: DomainState } | { readonly hidden: RecordsHidden };

/** Hosts the DNS of a name without a registration. Its first records are shown before the zone is created. */
@injectable()
export class HostDnsPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(CreateZone) private readonly createZone: CreateZone,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(TemplateLibrary) private readonly library: TemplateLibrary,
    @inject(RegistrationSettings) private readonly settings: Pick<RegistrationSettings, 'defaultNameservers'>,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/add/dns', 'register', this.show.bind(this), { everyDomain: true }],
      ['post', '/add/dns', 'register', this.host.bind(this), { everyDomain: true, cost: BULK }],
      ['post', '/add/dns/plan', 'register', this.planFile.bind(this), { everyDomain: true, upload: true, cost: BULK }],
      ['post', '/add/dns/file', 'register', this.hostFile.bind(this), { everyDomain: true, upload: true, cost: BULK }],
    ];
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    await this.render(req, res, { values: { name: readParameter(req, 'name'), records: 'lookup' } });
  }

  /** Asks for a zone file or the values of a template, shows the records that are copied, or creates the zone. */
  private async host(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const records = readField(req, 'records');
    const template = records === 'template' ? await this.template(req, res) : undefined;
    const needsValues = template !== undefined && template.variables.length > 0 && readField(req, 'asked') === '';
    const from = needsValues ? undefined : readSource(req, records, template);
    const isConfirmed = records === 'none' || readField(req, 'confirmed') !== '';
    const outcome = await attempt(() => this.outcomeOf(req, res, { from, isPlan: !isConfirmed }), {
      codes: { ZONE_EXISTS: 'name' },
      prefix: 'from.',
      ...(template ? {} : { fields: FIELDS }),
    });
    if ('issues' in outcome) {
      const isAtName = ['name', 'network'].some((field) => outcome.issues.fields.has(field));
      return template && !isAtName
        ? this.renderTemplate(req, res, template, outcome.issues)
        : this.render(req, res, { issues: atName(outcome.issues) });
    }
    const { result } = outcome;
    if ('hidden' in result)
      return this.render(req, res, { hidden: result.hidden, issues: { status: 409, ...NO_MESSAGE } });
    if ('present' in result) return leadTo(req, res, result.present);
    if (isConfirmed) return this.finish(req, res, result.zone);
    if (needsValues) return this.renderTemplate(req, res, template);
    return records === 'zonefile' ? this.askForFile(req, res, []) : this.renderPlan(req, res, result.zone, template);
  }

  private async planFile(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const zone = await this.withFile(req, res, true);
    if (zone) await this.renderPlan(req, res, zone);
  }

  private async hostFile(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const zone = await this.withFile(req, res, false);
    if (zone) this.finish(req, res, zone);
  }

  /** Undefined if it has responded. */
  private async withFile(
    req: DashboardRequest,
    res: DashboardResponse,
    isPlan: boolean,
  ): Promise<CreatedZone | undefined> {
    const zoneFile = [...readText(res)].join('');
    const outcome = await attempt(
      () => this.outcomeOf(req, res, { from: { source: 'zonefile', zoneFile }, isPlan }),
      LINE_ISSUES,
    );
    if ('issues' in outcome) await this.askForFile(req, res, [zoneFile], outcome.issues);
    else if ('hidden' in outcome.result)
      await this.render(req, res, { hidden: outcome.result.hidden, issues: { status: 409, ...NO_MESSAGE } });
    else if ('present' in outcome.result) leadTo(req, res, outcome.result.present);
    else return outcome.result.zone;
    return undefined;
  }

  private async outcomeOf(
    req: DashboardRequest,
    res: DashboardResponse,
    { from, isPlan }: { readonly from: ZoneContentsSource | undefined; readonly isPlan: boolean },
  ): Promise<Outcome> {
    const zone = readZone(req);
    const command = { ...getRequester(res), zone, from, movesRecords: readField(req, 'move_records') === 'on' };
    try {
      // What is wrong with the name is told before other servers are asked.
      if (isPlan && from) await this.createZone.plan({ ...command, from: undefined });
      return { zone: isPlan ? await this.createZone.plan(command) : await this.createZone.execute(command) };
    } catch (error) {
      if (error instanceof RecordsHidden) return { hidden: error };
      const name = error instanceof ZoneExists && 'name' in zone ? zone.name : undefined;
      const present = name === undefined ? undefined : await this.present(res, name);
      if (present) return { present };
      throw error;
    }
  }

  private async present(res: DashboardResponse, name: string): Promise<DomainState | undefined> {
    try {
      return (await this.findDomain.zoneByName({ ...getRequester(res), name })).toState();
    } catch (error) {
      if (error instanceof DomainNotFound) return undefined;
      throw error;
    }
  }

  private finish(req: DashboardRequest, res: DashboardResponse, { owner, copied }: CreatedZone): void {
    const count = copied?.imported.change.added.length;
    const steps = [
      owner.status === 'hosted' ? 'is hosted here' : 'was added and is served when it is proven to be yours',
      ...(count === undefined ? [] : [count === 1 ? '1 record was copied' : `${count} records were copied`]),
      `Set its nameservers: ${this.settings.defaultNameservers.join(', ')}`,
    ];
    setFlash(req, { kind: 'success', text: `${displayName(owner.name)} ${steps.join('. ')}.` });
    redirect(res, `/domains/${owner.id}`);
  }

  private async render(
    req: DashboardRequest,
    res: DashboardResponse,
    form: Partial<Pick<Parameters<typeof HostDnsPage>[0], 'values' | 'issues' | 'hidden'>>,
  ): Promise<void> {
    const head = { title: 'Host DNS only', section: 'add', issues: form.issues } as const;
    const templates = await this.library.list(getRequester(res));
    const page = { ownNameservers: this.settings.defaultNameservers, templates, values: valuesIn(req), ...form };
    this.renderer.render(req, res, head, <HostDnsPage {...page} />);
  }

  private renderTemplate(
    req: DashboardRequest,
    res: DashboardResponse,
    template: RecordTemplate,
    issues?: FormIssues,
  ): void {
    const head: PageHead = { title: `${template.name} for ${readField(req, 'name')}`, section: 'add', issues };
    const values = { ...valuesIn(req), ...templateFields(req, template) };
    this.renderer.render(req, res, head, <HostTemplatePage template={template} values={values} issues={issues} />);
  }

  private async askForFile(
    req: DashboardRequest,
    res: DashboardResponse,
    text: Iterable<string>,
    issues?: FormIssues,
  ): Promise<void> {
    const head: PageHead = { title: `Zone file of ${readField(req, 'name')}`, section: 'add', issues };
    const page = (placeholder: string) => (
      <HostZoneFilePage textHtml={placeholder} values={valuesIn(req)} issues={issues} />
    );
    await this.renderer.renderAroundText(req, res, head, page, text);
  }

  /** What is created is what was shown, whatever other servers have by then. */
  private async renderPlan(
    req: DashboardRequest,
    res: DashboardResponse,
    zone: CreatedZone,
    template?: RecordTemplate,
  ): Promise<void> {
    const { copied } = zone;
    const warning = copied && describeLeftOut(copied.notCopied);
    const head: PageHead = { title: `Host ${displayName(zone.owner.name)}`, section: 'add', warning };
    const values = { ...valuesIn(req), ...(template && templateFields(req, template)) };
    const given = copied?.given;
    const text = given && 'zoneFile' in given ? given.zoneFile : undefined;
    const page = (placeholder?: string) => <HostPlanPage zone={zone} values={values} textHtml={placeholder} />;
    if (text === undefined) return this.renderer.render(req, res, head, page());
    await this.renderer.renderAroundText(req, res, head, page, [text]);
  }

  private template(req: DashboardRequest, res: DashboardResponse): Promise<RecordTemplate> {
    return this.library.find(getRequester(res), readField(req, 'template'));
  }
}

function leadTo(req: DashboardRequest, res: DashboardResponse, { id, name }: DomainState): void {
  setFlash(req, { kind: 'success', text: `${displayName(name)} is in this account already.` });
  redirect(res, `/domains/${id}`);
}

function readZone(req: DashboardRequest): GivenZone {
  const text = readField(req, 'name').trim();
  return NETWORK.test(text) ? { network: text } : { name: text };
}

/** Undefined if the zone begins without records, or they are not known yet. */
function readSource(
  req: DashboardRequest,
  records: string,
  template: RecordTemplate | undefined,
): ZoneContentsSource | undefined {
  if (template) {
    const values = template.variables.map(({ name }) => [name, readField(req, valueField(name))] as const);
    return { source: 'template', templateId: template.id, values: Object.fromEntries(values) };
  }
  if (records === 'lookup') return { source: records };
  if (records !== 'transfer') return undefined;
  return { source: records, nameserver: readOptionalField(req, 'nameserver'), tsig: readTsig(req) };
}

/** Without the secret. */
function valuesIn(req: DashboardRequest): FormValues {
  const names = ['name', 'records', 'nameserver', 'tsig.name', 'tsig.algorithm', 'template', 'move_records'];
  return Object.fromEntries(names.map((name) => [name, readField(req, name)]));
}

function templateFields(req: DashboardRequest, { variables }: RecordTemplate): FormValues {
  return Object.fromEntries(variables.map(({ name }) => [valueField(name), readField(req, valueField(name))]));
}

/** Both kinds are typed into one field. */
function atName(issues: FormIssues): FormIssues {
  const network = issues.fields.get('network');
  return network === undefined ? issues : { ...issues, fields: new Map([['name', network]]) };
}
