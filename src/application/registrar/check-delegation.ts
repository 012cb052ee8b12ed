import { inject, injectable } from '../ports/inject';
import type { Reader } from '../../domain/access/actor';
import type { Domain } from '../../domain/registration/domain';
import { TldPolicies } from '../../domain/registration/names/tld-policy';
import { LeavingWarnings } from '../ports/dns/hosted-names';
import { ZoneSigningReader } from '../ports/dns/signing-repository';
import { ZoneSources, type NameserverCheck } from '../ports/dns/other-nameservers';
import { RegistryPort } from '../ports/registry/registry-port';
import { isSupported } from '../operations/assert-supported';
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
    @inject(ZoneSigningReader) private readonly signings: Pick<ZoneSigningReader, 'find'>,
    @inject(RegistryPort) private readonly registry: Pick<RegistryPort, 'dsRecords'>,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(RegistrationSettings) private readonly settings: RegistrationSettings,
  ) {}

  /** @param hosts this service's nameservers if absent */
  async execute({
    hosts = this.settings.defaultNameservers,
    ...query
  }: Reader & { domainId: string; hosts?: readonly string[] | undefined }): Promise<DelegationCheck> {
    const found = await this.findDomain.ownedById(query);
    const domain = found.toState();
    const wanted = hosts.slice(0, MAX_HOSTS);
    const [nameservers, present] = [
      await this.zoneSources.check(domain.name, wanted, query.accountId),
      await this.zoneSources.check(domain.name, domain.nameservers, query.accountId),
    ];
    const ready = nameservers.length > 0 && nameservers.every(({ state }) => state === 'answers');
    return {
      ready,
      nameservers,
      present,
      warnings: [
        ...(await this.leaving.ofNameservers(domain.id, wanted)),
        ...(await this.dsRecordWarnings(found, wanted)),
        ...warningsOf(nameservers, 'new'),
        ...warningsOf(present, 'present'),
      ],
    };
  }

  /** Of DS records that the operator of the present nameservers has set, or its owner for them. */
  private async dsRecordWarnings(domain: Domain, wanted: readonly string[]): Promise<readonly string[]> {
    const { nameservers } = domain.toState();
    const isMove = wanted.some((host) => !nameservers.includes(host));
    if (!isMove || !isSupported(this.policies, domain.name, 'delegation_signers')) return [];
    if (await this.signings.find(domain.id)) return [];
    const dsRecords = await this.registry.dsRecords(domain.name).catch(() => undefined);
    if (!dsRecords)
      return [
        'The DS records at the registry could not be read. If it has any for other keys, resolvers will reject the answers of the new nameservers: check them first',
      ];
    if (dsRecords.length === 0) return [];
    return [
      'The registry has DS records for this domain: resolvers will reject the answers of nameservers that do not sign the zone with these keys. Remove the DS records, wait until resolvers no longer have them, which takes a day or less for most registries, and then change the nameservers',
    ];
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
