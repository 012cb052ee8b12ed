import { inject, injectable } from '../../ports/inject';
import { parseZoneName } from '../../../domain/dns/zone-names/zone-name';
import { ValidationError } from '../../../domain/shared/validation-error';
import { HostedNameReader } from '../../ports/dns/hosted-names';
import { ZoneDiscoveryReader } from '../../ports/dns/templates-and-domain-connect';
import { NameserverSettings } from '../dns-settings';
import { ConnectSettings, discoveryText } from './connect-settings';

interface FoundSettings {
  readonly url: string;
  readonly host: string;
  readonly nameServers: readonly string[];
}

/** What service providers need to know of a zone that has a discovery record here. */
@injectable()
export class ReadConnectSettings {
  constructor(
    @inject(HostedNameReader) private readonly names: Pick<HostedNameReader, 'among'>,
    @inject(ZoneDiscoveryReader) private readonly zones: Pick<ZoneDiscoveryReader, 'find'>,
    @inject(ConnectSettings) private readonly settings: ConnectSettings,
    @inject(NameserverSettings) private readonly nameservers: NameserverSettings,
  ) {}

  /** Undefined if the zone is not here, or cannot be connected. */
  async execute(domain: string): Promise<FoundSettings | undefined> {
    const { url } = this.settings;
    const host = discoveryText(this.settings);
    const name = zoneNameOf(domain);
    if (url === undefined || host === undefined || name === undefined) return undefined;
    const [found] = (await this.names.among([name])).filter(({ isServed }) => isServed);
    const zone = found && (await this.zones.find(found.id));
    if (!zone || zone.discovery === null) return undefined;
    return { url, host, nameServers: this.nameservers.defaultNameservers };
  }
}

/** Undefined for what is no name of a zone. */
export function zoneNameOf(text: string): string | undefined {
  try {
    return parseZoneName(text);
  } catch (error) {
    if (error instanceof ValidationError) return undefined;
    throw error;
  }
}
