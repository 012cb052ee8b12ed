import { inject, injectable } from 'inversify';
import { IssueApiKey } from '../../../application/access/api-keys/issue-api-key';
import type { KeyLimits } from '../../../domain/access/key-limits';
import { DomainName } from '../../../domain/registration/domain-name';
import { ValidationError } from '../../../domain/shared/validation-error';
import type { DashboardPages, DashboardRequest, DashboardResponse, DashboardRoute } from '../dashboard-route';
import { getRequester } from '../dashboard-route';
import { readField } from '../form-fields';
import { attempt, type FormIssues } from '../form-issues';
import { Card, Copyable, PageHeading } from '../layout/components';
import { FormActions } from '../layout/form-actions';
import { Field, PostForm, Radios, type FormValues } from '../layout/forms';
import { Reauthentication } from '../middleware/reauthentication';
import { PageRenderer } from '../page-renderer';

/** What a key is for: each purpose asks for as little as possible. */
const PURPOSES = [
  {
    value: 'certificates',
    label: 'Certificates (recommended)',
    hint: 'Only the TXT records _acme-challenge and those below it.',
  },
  { value: 'host', label: 'A host with a changing address', hint: 'Only the A and AAAA records of one name.' },
  { value: 'zone', label: 'The whole zone', hint: 'All records of the domain.' },
] as const;
type Purpose = (typeof PURPOSES)[number]['value'];

const FORM_FIELDS = { fields: ['name', 'domain', 'purpose', 'record'] };
const EMPTY_FORM: FormValues = { name: '', domain: '', purpose: 'certificates', record: '' };

/** Creates TSIG keys, with which programs send DNS updates. The list of API keys shows and revokes them. */
@injectable()
export class TsigKeyPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(Reauthentication) private readonly reauthentication: Reauthentication,
    @inject(IssueApiKey) private readonly issueApiKey: IssueApiKey,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/api-keys/new-tsig', 'owner', this.showForm.bind(this)],
      ['post', '/api-keys/tsig', 'owner', this.create.bind(this), { before: this.reauthentication.require() }],
    ];
  }

  private async create(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const values = {
      name: readField(req, 'name'),
      domain: readField(req, 'domain'),
      purpose: readField(req, 'purpose'),
      record: readField(req, 'record'),
    };
    const outcome = await attempt(() => {
      const { name, domain, record } = values;
      const purpose = parsePurpose(values.purpose);
      return this.issueApiKey.executeTsig({ ...getRequester(res), name, limits: limitsFor(purpose, domain, record) });
    }, FORM_FIELDS);
    if ('issues' in outcome) return this.showForm(req, res, values, outcome.issues);
    const { key, text } = outcome.result;
    const { limits, name } = key.toState();
    this.renderer.render(
      req,
      res,
      { title: 'Your new TSIG key', section: 'api-keys' },
      <NewTsigKey name={name} text={text} limits={limits ?? {}} />,
    );
  }

  private showForm(
    req: DashboardRequest,
    res: DashboardResponse,
    values: FormValues = EMPTY_FORM,
    issues?: FormIssues,
  ): void {
    this.renderer.render(
      req,
      res,
      { title: 'New TSIG key', section: 'api-keys', issues },
      <>
        <PageHeading
          title="New TSIG key"
          lead="Certificate clients, routers and DHCP servers change records with it, by dynamic updates (RFC 2136). It does not open the REST API."
        />
        <section class="card narrow">
          <PostForm action="/api-keys/tsig" values={values} issues={issues}>
            <Field
              name="name"
              label="Name"
              required
              maxLength={100}
              autofocus
              hint="The program that uses it, such as “certbot on www”."
            />
            <Field name="domain" label="Domain" required maxLength={253} hint="Such as example.com." />
            <Radios name="purpose" label="What it may change" choices={PURPOSES} />
            <Field
              name="record"
              label="Host name (for a host only)"
              maxLength={253}
              hint="Relative to the domain, such as home; @ is the domain itself."
            />
            <FormActions submit="Create TSIG key" cancel="/api-keys" />
          </PostForm>
        </section>
      </>,
    );
  }
}

function parsePurpose(text: string): Purpose {
  const purpose = PURPOSES.find(({ value }) => value === text);
  if (!purpose) throw ValidationError.of('purpose', 'must be one of the purposes listed');
  return purpose.value;
}

function limitsFor(purpose: Purpose, domain: string, record: string): KeyLimits {
  const domains = [DomainName.parse(domain.trim(), 'domain').value];
  if (purpose === 'certificates') return { domains, names: ['_acme-challenge', '_acme-challenge.**'], types: ['TXT'] };
  if (purpose === 'zone') return { domains };
  if (record.trim() === '') throw ValidationError.of('record', 'must be the name of the host');
  return { domains, names: [record.trim()], types: ['A', 'AAAA'] };
}

function NewTsigKey({
  name,
  text,
  limits,
}: {
  readonly name: string;
  readonly text: string;
  readonly limits: KeyLimits;
}) {
  const [algorithm = '', keyName = '', secret = ''] = text.split(':');
  const domain = limits.domains?.[0] ?? '';
  const host = limits.types?.includes('A') ? limits.names?.[0] : undefined;
  const owner = host === undefined ? `_acme-challenge.${domain}` : host === '@' ? domain : `${host}.${domain}`;
  const record = host === undefined ? `60 TXT "test"` : '60 A 192.0.2.7';
  const credentials = [
    'dns_rfc2136_server = SERVER',
    'dns_rfc2136_port = 53',
    `dns_rfc2136_name = ${keyName}`,
    `dns_rfc2136_secret = ${secret}`,
    `dns_rfc2136_algorithm = ${algorithm.toUpperCase()}`,
  ].join('\n');
  const command = `printf '%s\\n' "server SERVER 53" "zone ${domain}" 'update add ${owner} ${record}' send | nsupdate -v -y '${text}'`;
  return (
    <>
      <PageHeading title="Your new TSIG key" lead={`“${name}”, for ${domain}`} />
      <Card title="Copy it now">
        <p>The key is shown only once.</p>
        <Copyable id="new-tsig-key" text={text} label="the new key" />
        <h3>Try it</h3>
        <p>
          Replace <code>SERVER</code> by the address of this service’s DNS listener; its operator knows it.
        </p>
        <Copyable id="new-tsig-nsupdate" text={command} label="a command that adds a record" lines />
        {host === undefined && (
          <>
            <h3>Credentials of certbot</h3>
            <Copyable id="new-tsig-certbot" text={credentials} label="the credentials of certbot" lines />
          </>
        )}
      </Card>
      <p>
        <a class="button" href="/api-keys">
          Done
        </a>
      </p>
    </>
  );
}
