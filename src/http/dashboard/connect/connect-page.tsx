import type { ConnectPlan } from '../../../application/dns/domain-connect/connect-service';
import type { ConnectRequest } from '../../../application/dns/domain-connect/read-connect-request';
import { returnUrl } from '../../../domain/domain-connect/return-url';
import { changesNothing } from '../../../domain/dns/zone-change';
import type { FormIssues } from '../form-issues';
import { Card, PageHeading } from '../layout/components';
import { displayName } from '../layout/domain/domain-labels';
import { FormActions } from '../layout/forms/form-actions';
import { PostForm } from '../layout/forms/forms';
import { PlanView } from '../zone/plan-view';

export const PLAN_FIELD = 'plan';

interface ConnectPageProps {
  /** The URL of the request. */
  readonly action: string;
  readonly request: ConnectRequest;
  readonly plan: ConnectPlan;
  readonly issues?: FormIssues | undefined;
}

/** Asks a person whether a service may be connected, and shows every record that this changes. */
export function ConnectPage({ action, request, plan, issues }: ConnectPageProps) {
  const { template, parameters, returnTo } = request;
  const { domain, host, disabled } = plan;
  const service = nameWith(template.serviceName, parameters.serviceName);
  const provider = nameWith(template.providerName, parameters.providerName);
  const name = displayName(host === '@' ? domain.name : `${host}.${domain.name}`);
  const cancel = returnTo
    ? returnUrl(returnTo, parameters.state, { error: 'access_denied', description: 'user_cancel' })
    : `/domains/${domain.id}`;
  return (
    <>
      <PageHeading
        title={`Connect ${name} to ${service}`}
        lead={`${provider} asks for these changes of your DNS records`}
      />
      {!request.isSigned && <UnsignedWarning provider={template.providerName} />}
      <Facts request={request} provider={provider} service={service} name={name} />
      <Card title="What changes" id="plan">
        {changesNothing(plan.zonePlan.change) && <p>All records that the service needs are there.</p>}
        <PlanView plan={plan.zonePlan} />
        {disabled.length > 0 && (
          <div class="alert warning">
            <p>These services lose records that they need, so all of their records are removed:</p>
            <ul>
              {disabled.map(({ id, providerName, serviceName }) => (
                <li key={id}>
                  {serviceName} of {providerName}
                </li>
              ))}
            </ul>
          </div>
        )}
        <PostForm action={action} issues={issues}>
          <input type="hidden" name={PLAN_FIELD} value={plan.digest} />
          <FormActions submit={`Connect ${name}`} cancel={cancel} />
        </PostForm>
        <p class="small">
          {returnTo ? `Afterwards, your browser goes to ${returnTo.host}.` : 'Afterwards, you can close this window.'}
        </p>
      </Card>
    </>
  );
}

/** The text of the request adds to the name of the template and never takes its place. */
function nameWith(name: string, added: string | undefined): string {
  return added === undefined ? name : `${name} (${added.slice(0, 100)})`;
}

function UnsignedWarning({ provider }: { readonly provider: string }) {
  return (
    <div class="alert warning" role="alert">
      <p>
        <strong>The link that brought you here is not signed: anyone can have written it.</strong> Go on only if you
        have just asked {provider} to connect your domain, and not if the link came in a mail or a message.
      </p>
    </div>
  );
}

function Facts({
  request: { template, parameters, isSigned },
  provider,
  service,
  name,
}: Pick<ConnectPageProps, 'request'> & Readonly<Record<'provider' | 'service' | 'name', string>>) {
  const values = Object.entries(parameters.values);
  return (
    <Card title="Who asks, and for what">
      <dl class="details">
        <dt>Provider</dt>
        <dd>
          {provider} <span class="small">{template.providerId}</span>
        </dd>
        <dt>Service</dt>
        <dd>{service}</dd>
        <dt>Name</dt>
        <dd>{name}</dd>
        {parameters.groups && (
          <>
            <dt>Parts</dt>
            <dd>{parameters.groups.join(', ')}</dd>
          </>
        )}
        <dt>Link</dt>
        <dd>{isSigned ? 'Signed by the provider' : 'Not signed'}</dd>
        {values.map(([variable, value]) => (
          <ValueOf key={variable} variable={variable} value={value} />
        ))}
      </dl>
    </Card>
  );
}

/** What the link, and not the template, says. */
function ValueOf({ variable, value }: { readonly variable: string; readonly value: string }) {
  return (
    <>
      <dt>
        <code>%{variable}%</code>
      </dt>
      <dd>
        <code>{value}</code>
      </dd>
    </>
  );
}
