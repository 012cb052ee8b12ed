import type { Delegation } from '../../../domain/dns/delegation/delegation';
import type { DomainState } from '../../../domain/registration/domain';
import { LeavingNotice } from '../dnssec/leaving-notice';
import { DomainLayout } from '../layout/domain/domain-layout';
import { displayName } from '../layout/domain/domain-labels';
import { Card } from '../layout/components';
import { FormActions } from '../layout/forms/form-actions';
import { PostForm } from '../layout/forms/forms';
import { GlueWarnings } from '../layout/domain/glue-warnings';

interface ReviewNameserversPageProps {
  readonly domain: DomainState;
  readonly hosts: readonly string[];
  /** Whose nameservers the domain has, and would have. */
  readonly before: Delegation;
  readonly after: Delegation;
  /** Of the zone in this service. */
  readonly recordCount: number;
  readonly warnings: readonly string[];
  readonly missingGlue: readonly string[];
}

/** A change of nameservers before it is made: before and after, and what follows from it. */
export function ReviewNameserversPage(props: ReviewNameserversPageProps) {
  const { domain, hosts, warnings, missingGlue } = props;
  const path = `/domains/${domain.id}/nameservers`;
  const isChanged = hosts.join() !== domain.nameservers.join();
  return (
    <DomainLayout domain={domain} tab="details" needs="change nameservers">
      <Card title="Change nameservers?">
        <div class="before-after">
          <Hosts title="Before" hosts={domain.nameservers} others={hosts} />
          <Hosts title="After" hosts={hosts} others={domain.nameservers} />
        </div>
        <p>{isChanged ? describeConsequence(props) : 'No change: the domain has these nameservers already.'}</p>
        {isChanged && props.after === 'ours' && props.before !== 'ours' && (
          <p>
            <a href={`/domains/${domain.id}/switch`}>Check the new and the present nameservers first</a>
          </p>
        )}
        {isChanged && <LeavingNotice domainId={domain.id} warnings={warnings} />}
        <GlueWarnings hosts={missingGlue} />
        <PostForm action={path}>
          <input type="hidden" name="nameservers" value={hosts.join(' ')} />
          <FormActions submit={isChanged ? 'Change nameservers' : undefined} cancel={path} />
        </PostForm>
      </Card>
    </DomainLayout>
  );
}

function Hosts({
  title,
  hosts,
  others,
}: {
  readonly title: string;
  readonly hosts: readonly string[];
  readonly others: readonly string[];
}) {
  const Changed = title === 'Before' ? 'del' : 'ins';
  return (
    <div>
      <h3>{title}</h3>
      <ul class="changes">
        {hosts.map((host) => (
          <li key={host}>{others.includes(host) ? host : <Changed>{host}</Changed>}</li>
        ))}
      </ul>
      {hosts.length === 0 && <p class="small">None</p>}
    </div>
  );
}

function describeConsequence({ domain, before, after, recordCount }: ReviewNameserversPageProps): string {
  const records = recordCount === 1 ? 'The DNS record' : `The ${recordCount} DNS records`;
  const name = displayName(domain.name);
  if (after === 'partly')
    return `${records} of ${name} here will be used by some resolvers, those of the other nameservers by others. Both must have the same records.`;
  if (after === 'ours')
    return before === 'ours'
      ? `${records} of ${name} here stay in use.`
      : `Resolvers will use the DNS records of ${name} here (${recordCount}) within two days.`;
  return before === 'elsewhere'
    ? `Resolvers will use the new nameservers within two days. ${records} of ${name} here stay unused.`
    : `${records} of ${name} here will no longer be used, and changes of them will have no effect: resolvers switch to the new nameservers within two days. Have the records there first.`;
}
