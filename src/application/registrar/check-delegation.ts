import { inject, injectable } from 'inversify';
import type { Reader } from '../../domain/access/actor';
import { LeavingWarnings } from '../dns/dnssec/leaving-warnings';
import { ZoneSources, type NameserverCheck } from '../ports/dns/zone-sources';
import { FindDomain } from '../registration/find-domain';
import { RegistrationSettings } from '../registration/registration-settings';

const MAX_HOSTS = 13;
/** Longer, and resolvers use the former nameservers for more than a day after a mistake. */
const MAX_TTL_SECONDS = 86_400;

export interface DelegationCheck {
  /** Whether all new nameservers answer for the zone. */
  readonly ready: boolean;
  readonly nameservers: readonly NameserverCheck[];
  /** The nameservers at the registry. */
  readonly present: readonly NameserverCheck[];
  /** What to know before the switch, as sentences. */
  readonly warnings: readonly string[];
}

/** Checks nameservers before a domain is switched to them. Changes nothing. @throws DomainNotFound, ZoneSourceFailed */
@injectable()
export class CheckDelegation {
  constructor(
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(ZoneSources) private readonly zoneSources: ZoneSources,
    @inject(LeavingWarnings) private readonly leaving: LeavingWarnings,
    @inject(RegistrationSettings) private readonly settings: RegistrationSettings,
  ) {}

  /** @param hosts this service's nameservers if absent */
  async execute({
    hosts = this.settings.defaultNameservers,
    ...query
  }: Reader & { domainId: string; hosts?: readonly string[] | undefined }): Promise<DelegationCheck> {
    const domain = (await this.findDomain.byId(query)).toState();
    const wanted = hosts.slice(0, MAX_HOSTS);
    const [nameservers, present] = [
      await this.zoneSources.check(domain.name, wanted),
      await this.zoneSources.check(domain.name, domain.nameservers),
    ];
    const ready = nameservers.length > 0 && nameservers.every(({ state }) => state === 'answers');
    return {
      ready,
      nameservers,
      present,
      warnings: [
        ...(await this.leaving.ofNameservers(domain.id, wanted)),
        ...warningsOf(nameservers, 'new'),
        ...warningsOf(present, 'present'),
      ],
    };
  }
}

function warningsOf(checks: readonly NameserverCheck[], which: 'new' | 'present'): readonly string[] {
  const silent = which === 'new' ? checks.filter(({ state }) => state !== 'answers') : [];
  const ttls = checks.flatMap(({ delegationTtl, negativeTtl }) => [delegationTtl ?? 0, negativeTtl ?? 0]);
  const longest = Math.max(0, ...ttls);
  return [
    ...silent.map(({ nameserver }) => `${nameserver} does not answer for the zone`),
    ...(longest > MAX_TTL_SECONDS
      ? [`The ${which} nameservers have TTLs of up to ${longest} seconds: resolvers may use old answers for that long`]
      : []),
  ];
}
