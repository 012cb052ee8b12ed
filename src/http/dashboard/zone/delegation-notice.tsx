import { delegationOf } from '../../../domain/dns/delegation';
import type { DomainState } from '../../../domain/registration/domain';
import { isAllowed, isServed } from '../../../domain/registration/domain-status';

export interface DelegationNoticeProps {
  readonly domain: DomainState;
  /** The host names of this service's nameservers. */
  readonly ours: readonly string[];
}

/** What it means for the records that the domain is delegated elsewhere, and how to change it. Nothing while it is delegated here. */
export function DelegationNotice({ domain, ours }: DelegationNoticeProps) {
  const { id, status, nameservers } = domain;
  const delegation = delegationOf(nameservers, ours);
  if (delegation === 'ours' || !isServed(status)) return null;
  const others = nameservers.filter((host) => !ours.includes(host));
  return (
    <div class="notice warning">
      <p>
        {delegation === 'elsewhere' ? (
          <>
            The records kept here have no effect. The domain is delegated to <Hosts hosts={others} />, so resolvers ask
            there and not this service. To use the records kept here, change the nameservers to <Hosts hosts={ours} />.
          </>
        ) : (
          <>
            Some resolvers do not see the records kept here. The domain is also delegated to <Hosts hosts={others} />,
            whose answers may differ. To have all resolvers see them, use only <Hosts hosts={ours} />.
          </>
        )}
      </p>
      {isAllowed(status, 'change nameservers') && (
        <a class="button" href={`/domains/${id}/nameservers`}>
          Change the nameservers
        </a>
      )}
    </div>
  );
}

function Hosts({ hosts }: { readonly hosts: readonly string[] }) {
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
