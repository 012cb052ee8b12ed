import { MayDo } from '../layout/may-do';
import { delegationOf } from '../../../domain/dns/delegation/delegation';
import type { DomainState } from '../../../domain/registration/domain';
import { isAllowed, isServed } from '../../../domain/registration/domain-status';

interface DelegationNoticeProps {
  readonly domain: DomainState;
  /** Host names of this service's nameservers. */
  readonly ownNameservers: readonly string[];
}

/** Warns that the DNS records here are unused because the domain is delegated elsewhere. Renders nothing otherwise. */
export function DelegationNotice({ domain, ownNameservers }: DelegationNoticeProps) {
  const { id, status, nameservers } = domain;
  const delegation = delegationOf(nameservers, ownNameservers);
  if (delegation === 'ours' || !isServed(status)) return null;
  const others = nameservers.filter((host) => !ownNameservers.includes(host));
  return (
    <div class="alert warning">
      <p>
        {delegation === 'elsewhere' ? (
          <>
            The DNS records here are not used, because the domain is delegated to <Hosts hosts={others} />. To use them,
            change the nameservers to <Hosts hosts={ownNameservers} />.
          </>
        ) : (
          <>
            Some resolvers do not see the DNS records here, because the domain is also delegated to{' '}
            <Hosts hosts={others} />. To make all resolvers see them, use only <Hosts hosts={ownNameservers} />.
          </>
        )}
      </p>
      {isAllowed(status, 'change nameservers') && (
        <p class="actions">
          <MayDo action="settings">
            <a class="button" href={`/domains/${id}/nameservers`}>
              Change nameservers
            </a>
          </MayDo>
          <a class="button quiet" href={`/domains/${id}/switch`}>
            Check and switch
          </a>
        </p>
      )}
    </div>
  );
}

export function Hosts({ hosts }: { readonly hosts: readonly string[] }) {
  return (
    <>
      {hosts.map((host, index) => (
        <span key={host}>
          {index > 0 && (index === hosts.length - 1 ? ' and ' : ', ')}
          <code>{host}</code>
        </span>
      ))}
    </>
  );
}
