import { changesNothing } from '../../../domain/dns/zone-change';
import type { ZonePlan } from '../../../application/dns/zones/zone-plan';
import type { DomainState } from '../../../domain/registration/domain';
import { DomainLayout } from '../layout/domain/domain-layout';
import type { FormIssues } from '../form-issues';
import { Card } from '../layout/components';
import { FormActions } from '../layout/forms/form-actions';
import { Checkbox, Field, Radios, Select, TextArea } from '../layout/forms/form-controls';
import { GetForm, PostForm, type FormValues } from '../layout/forms/forms';
import { PlanView } from '../zone/plan-view';
import { MAIL_POLICIES, type MailPolicyName } from './mail-forms';

interface MailPreview {
  readonly content: string;
  readonly plan: ZonePlan;
}

export interface MailPageProps {
  readonly domain: DomainState;
  /** The text of each record that the zone has. */
  readonly present: Readonly<Record<MailPolicyName, string | undefined>>;
  /** The form that was sent. */
  readonly edited?:
    | {
        readonly policy: MailPolicyName;
        readonly values: FormValues;
        readonly issues?: FormIssues | undefined;
        readonly preview?: MailPreview | undefined;
      }
    | undefined;
}

const ALL = [
  { value: '-all', label: 'Refuse it (-all)', hint: 'The list above is complete' },
  { value: '~all', label: 'Treat it as suspicious (~all)', hint: 'Usual, together with DMARC' },
  { value: '?all', label: 'Say nothing about it (?all)', hint: 'While you try the record out' },
];
const POLICIES = [
  { value: 'none', label: 'Deliver it (none)', hint: 'To read the reports first' },
  { value: 'quarantine', label: 'Put it into spam (quarantine)' },
  { value: 'reject', label: 'Refuse it (reject)' },
];
const SUBDOMAINS = [
  { value: '', label: 'As for the domain' },
  ...POLICIES.map(({ value, label }) => ({ value, label })),
];

/** Forms that write the SPF and the DMARC record of a domain. */
export function MailPage({ domain, present, edited }: MailPageProps) {
  const path = `/domains/${domain.id}/mail`;
  const shown = edited ? [edited.policy] : (['spf', 'dmarc'] as const);
  return (
    <DomainLayout domain={domain} tab="records" needs="change DNS records">
      {shown.map((name) => (
        <Card key={name} title={MAIL_POLICIES[name].title} term={name}>
          <p>{present[name] === undefined ? 'The zone has no such record yet.' : <code>{present[name]}</code>}</p>
          <GetForm
            action={`${path}/${name}`}
            values={edited?.values ?? MAIL_POLICIES[name].toValues(present[name])}
            issues={edited?.issues}
          >
            {name === 'spf' ? <SenderFields /> : <ForgedMailFields />}
            <FormActions submit="Preview record" cancel={edited ? path : `/domains/${domain.id}/records`} />
          </GetForm>
        </Card>
      ))}
      {edited?.preview && <Preview action={`${path}/${edited.policy}`} cancel={path} {...edited.preview} />}
    </DomainLayout>
  );
}

function SenderFields() {
  return (
    <>
      <Checkbox name="mx" label="The mail servers of the domain (mx)" />
      <Checkbox name="a" label="The addresses of the domain (a)" />
      <div class="fields">
        <TextArea
          name="includes"
          label="Services (include)"
          rows={3}
          hint="One a line, as the service names it, such as _spf.google.com"
        />
        <TextArea name="networks" label="Addresses and networks" rows={3} hint="One a line, such as 192.0.2.0/24" />
        <Field name="others" label="Other terms" />
      </div>
      <Radios name="all" label="Mail from anywhere else" choices={ALL} />
    </>
  );
}

function ForgedMailFields() {
  return (
    <>
      <Radios name="p" label="Mail that fails SPF and DKIM" choices={POLICIES} />
      <div class="fields">
        <Select name="sp" label="Mail from subdomains" choices={SUBDOMAINS} />
        <TextArea name="reports" label="Send reports to" rows={2} hint="E-mail addresses, one a line" />
        <Field name="tags" label="Other tags" />
      </div>
      <Checkbox name="adkim" label="DKIM must name the same domain, not a parent (adkim=s)" />
      <Checkbox name="aspf" label="SPF must name the same domain, not a parent (aspf=s)" />
    </>
  );
}

function Preview({
  action,
  cancel,
  content,
  plan,
}: MailPreview & { readonly action: string; readonly cancel: string }) {
  return (
    <Card title="Save this record?" id="plan">
      <PlanView plan={plan} />
      <PostForm action={action}>
        <input type="hidden" name="expected" value={String(plan.zoneVersion)} />
        <input type="hidden" name="content" value={content} />
        <FormActions submit={changesNothing(plan.change) ? undefined : 'Save record'} cancel={cancel} />
      </PostForm>
    </Card>
  );
}
