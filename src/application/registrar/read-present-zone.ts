import { inject, injectable } from '../ports/inject';
import type { Requester } from '../../domain/access/actor';
import { assertWholeZoneAllowed } from '../../domain/access/key-permissions';
import { typesOf, withUpdateTypes } from '../../domain/dns/records/types/record-types';
import { ZoneSourceFailed } from '../../domain/dns/dns-errors';
import { parseTsigAlgorithm, parseTsigKeyName, type TsigKey } from '../../domain/dns/secondaries/tsig-key';
import { DomainName } from '../../domain/shared/domain-name';
import { validateAll, ValidationError } from '../../domain/shared/validation-error';
import { AccountRegistries } from '../ports/registry/registries';
import { ZoneSources, ParentalAgent, type FoundZone, type ImportableZone } from '../ports/dns/other-nameservers';
import { ZoneLimitSettings } from '../dns/dns-settings';
import { runCooperatively } from '../shared/run-cooperatively';
import { importableZone } from './importable-zone';
import { RegistrationSettings } from '../registration/registration-settings';
import { FindDomain } from '../registration/find-domain';

const PRESENT_ZONE_SOURCES = ['transfer', 'registrar', 'lookup'] as const;

const MAX_NAMESERVER_LENGTH = 260;
const BASE64 = /^[A-Za-z0-9+/]{16,344}={0,2}$/;

export interface PresentZoneSource {
  /** `transfer`: by AXFR; `registrar`: from the vendor's DNS service; `lookup`: by queries for usual names and types. */
  readonly source: string;
  /** For a transfer; the first of the domain's nameservers if absent. */
  readonly nameserver?: string | undefined;
  /** The secret is in base64. */
  readonly tsig?: { readonly name: string; readonly algorithm: string; readonly secret: string } | undefined;
}

type ReadPresentZoneCommand = Requester & PresentZoneSource & { readonly domainId: string };

/**
 * Reads the zone that other nameservers serve for a domain, as a zone file to import: what an import would refuse is left out and listed.
 * Changes nothing.
 * @throws DomainNotFound, ValidationError, ZoneSourceFailed, RegistryRejected, RegistryUnavailable
 */
@injectable()
export class ReadPresentZone {
  constructor(
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(ZoneSources) private readonly zoneSources: ZoneSources,
    @inject(AccountRegistries) private readonly registries: AccountRegistries,
    @inject(ZoneLimitSettings) private readonly limits: ZoneLimitSettings,
    @inject(ParentalAgent) private readonly agent: Pick<ParentalAgent, 'queryDelegation'>,
    @inject(RegistrationSettings) private readonly settings: Pick<RegistrationSettings, 'defaultNameservers'>,
  ) {}

  async execute(command: ReadPresentZoneCommand): Promise<ImportableZone> {
    const domain = await this.findDomain.ownedById(command, 'write');
    const { name, nameservers } = domain.toState();
    assertWholeZoneAllowed(command.actor);
    return this.ofName(name, command, domain.isHosted ? undefined : nameservers);
  }

  /** @param nameservers that serve it; absent: those to which the parent delegates it */
  async ofName(
    name: string,
    command: Requester & PresentZoneSource,
    nameservers?: readonly string[],
  ): Promise<ImportableZone> {
    const found = await this.read(command, name, nameservers ?? (await this.delegatedTo(name)));
    const types = withUpdateTypes(typesOf(name, this.limits.types));
    return runCooperatively(importableZone(found, name, types), command.accountId);
  }

  private async read(
    { source, nameserver, tsig, ...query }: Requester & PresentZoneSource,
    name: string,
    nameservers: readonly string[],
  ): Promise<FoundZone> {
    const known = PRESENT_ZONE_SOURCES.find((each) => each === source);
    if (!known) throw ValidationError.of('source', `must be one of ${PRESENT_ZONE_SOURCES.join(', ')}`);
    if (known === 'registrar') return this.readHostedZone(query.accountId, name);
    const server = (known === 'transfer' ? nameserver : undefined) ?? nameservers[0];
    if (server === undefined) throw new ZoneSourceFailed(`No other nameservers are known for ${name}`);
    if (known === 'lookup') return this.zoneSources.lookUp(name, nameservers, query.accountId);
    if (server === '' || server.length > MAX_NAMESERVER_LENGTH)
      throw ValidationError.of('nameserver', 'must be a host name or an IP address');
    return this.zoneSources.transfer(
      { zoneName: name, nameserver: server, tsig: tsig && parseTsig(tsig) },
      query.accountId,
    );
  }

  private async delegatedTo(name: string): Promise<readonly string[]> {
    const { defaultNameservers } = this.settings;
    const hosts = (await this.agent.queryDelegation(name))?.sets.flat() ?? [];
    return [...new Set(hosts)].filter((host) => !defaultNameservers.includes(host));
  }

  private async readHostedZone(accountId: string, name: string): Promise<FoundZone> {
    const zoneFile = await this.registries.forAccount(accountId).hostedZone(DomainName.fromState(name));
    if (zoneFile === undefined) throw new ZoneSourceFailed(`The registrar serves no zone for ${name}`);
    return { zoneFile, skipped: {} };
  }
}

/** @throws ValidationError, without the secret */
function parseTsig(tsig: NonNullable<ReadPresentZoneCommand['tsig']>): TsigKey {
  const [name, algorithm, secret] = validateAll(
    () => parseTsigKeyName(tsig.name, 'tsig.name'),
    () => parseTsigAlgorithm(tsig.algorithm, 'tsig.algorithm'),
    () => parseSecret(tsig.secret),
  );
  return { name, algorithm, secret };
}

function parseSecret(text: string): Buffer {
  if (!BASE64.test(text)) throw ValidationError.of('tsig.secret', 'must be base64 of at least 16 characters');
  return Buffer.from(text, 'base64');
}
