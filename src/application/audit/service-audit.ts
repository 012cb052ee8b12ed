import type { Requester } from '../../domain/access/actor';
import type { AuditFact, AuditFacts } from '../../domain/access/audit-entry';
import type { ConnectedService } from '../ports/dns/templates-and-domain-connect';

interface ServiceChange {
  readonly at: Date;
  readonly requester: Pick<Requester, 'accountId' | 'actor'>;
  readonly domain: { readonly id: string; readonly name: string };
  readonly service: ConnectedService;
}

/** A person connected a service. Its records are in the entry of the zone's change. */
export function serviceConnected(change: ServiceChange): AuditFact {
  return { ...factOf(change), action: 'service.connected', before: {}, after: factsOf(change) };
}

export function serviceDisconnected(change: ServiceChange): AuditFact {
  return { ...factOf(change), action: 'service.disconnected', before: factsOf(change), after: {} };
}

function factOf({ at, requester: { accountId, actor }, domain: { id, name } }: Omit<ServiceChange, 'service'>) {
  return { at, accountId, actor, domain: { id, name }, subject: null };
}

function factsOf({ service: { id, providerName, serviceName, host } }: ServiceChange): AuditFacts {
  return { connected_service_id: id, provider: providerName, service: serviceName, host };
}

/** Whether service providers may ask to change the zone of a domain. */
export function connectsChanged({
  connects,
  ...change
}: Omit<ServiceChange, 'service'> & { readonly connects: boolean }): AuditFact {
  return {
    ...factOf(change),
    action: 'zone.domain_connect_changed',
    before: { domain_connect: !connects },
    after: { domain_connect: connects },
  };
}
