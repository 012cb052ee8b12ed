import type { DomainState } from '../../../domain/registration/domain';
import { buildUrl } from '../build-url';
import { displayName } from '../layout/domain/domain-labels';
import type { FormIssues } from '../form-issues';
import { FormActions } from '../layout/forms/form-actions';
import { GetForm } from '../layout/forms/forms';
import { usePage } from '../layout/page-context';
import { GlueWarnings } from '../layout/domain/glue-warnings';
import { LeavingNotice } from '../dnssec/leaving-notice';
import { DomainLayout } from '../layout/domain/domain-layout';
import { NameserversField } from '../layout/domain/nameservers-field';

interface NameserversPageProps {
  readonly domain: DomainState;
  readonly text: string;
  readonly issues: FormIssues | undefined;
  readonly ownNameservers: readonly string[];
  /** Nameservers below the domain that have no address record in its zone. */
  readonly missingGlue: readonly string[];
  /** What to know before other nameservers are used. */
  readonly warnings: readonly string[];
}

export function NameserversPage({ domain, text, issues, ownNameservers, missingGlue, warnings }: NameserversPageProps) {
  const isOwner = usePage().userSession?.user.role === 'owner';
  return (
    <DomainLayout domain={domain} tab="details" needs="change nameservers">
      <section class="card narrow">
        <h2>Change nameservers</h2>
        <p>
          Resolvers get the DNS records of {displayName(domain.name)} from these servers. They may use the old
          nameservers for up to two days.
        </p>
        <LeavingNotice domainId={domain.id} warnings={warnings} />
        <GlueWarnings hosts={missingGlue} />
        <Presets domain={domain} ownNameservers={ownNameservers} />
        <GetForm action={`/domains/${domain.id}/nameservers`} values={{ nameservers: text }} issues={issues}>
          <NameserversField ownNameservers={ownNameservers} />
          <FormActions submit="Preview change" cancel={`/domains/${domain.id}`} />
        </GetForm>
        {isOwner && (
          <p class="small">
            <a href="/nameservers">The nameservers of this service and how far they have caught up</a>
          </p>
        )}
      </section>
    </DomainLayout>
  );
}

/** Nameservers that need no typing. */
function Presets({ domain, ownNameservers }: Pick<NameserversPageProps, 'domain' | 'ownNameservers'>) {
  if (ownNameservers.length === 0 || ownNameservers.join() === domain.nameservers.join()) return null;
  const url = buildUrl(`/domains/${domain.id}/nameservers`, { nameservers: ownNameservers.join(' ') });
  return (
    <p class="actions">
      <a class="button" href={url}>
        Use the nameservers of this service
      </a>
    </p>
  );
}
