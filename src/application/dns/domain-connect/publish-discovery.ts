import { inject, injectable } from '../../ports/inject';
import { delegationOf } from '../../../domain/dns/delegation/delegation';
import { ZoneDiscoveryReader, type ZoneDiscovery } from '../../ports/dns/templates-and-domain-connect';
import { UnitOfWork } from '../../ports/storage/unit-of-work';
import { readInTurn } from '../../shared/pages-of';
import { NameserverSettings } from '../dns-settings';
import { ConnectSettings, discoveryText } from './connect-settings';

const PAGE = 500;

/** Serves zones with a discovery record while service providers can connect them: the zone is delegated to us, and both switches are on. */
@injectable()
export class PublishDiscovery {
  constructor(
    @inject(ZoneDiscoveryReader) private readonly zones: ZoneDiscoveryReader,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'zones'>,
    @inject(ConnectSettings) private readonly settings: ConnectSettings,
    @inject(NameserverSettings) private readonly nameservers: NameserverSettings,
  ) {}

  /** All zones. A repetition changes nothing. */
  async execute(stopping?: AbortSignal): Promise<void> {
    const onlyDiscovered = discoveryText(this.settings) === undefined;
    let page: readonly ZoneDiscovery[] | undefined;
    do {
      const after = page?.at(-1)?.domainId ?? '';
      page = await readInTurn(undefined, () => this.zones.page(PAGE, { onlyDiscovered, after }));
      for (const zone of page) {
        if (stopping?.aborted) return;
        if (this.wanted(zone) !== zone.discovery) await this.publish(zone.domainId, zone.accountId);
      }
    } while (page.length === PAGE);
  }

  /** What the zone is to be served with. While its delegation is not known, it stays as it is. */
  wanted({ connects, discovery, isServed, nameservers, delegation }: ZoneDiscovery): string | null {
    const text = discoveryText(this.settings) ?? null;
    if (text === null || !connects || !isServed) return null;
    if (delegation === 'unknown') return discovery === null ? null : text;
    const isOurs =
      delegation === undefined
        ? delegationOf(nameservers, this.nameservers.defaultNameservers) === 'ours'
        : delegation === 'ours';
    return isOurs ? text : null;
  }

  private async publish(domainId: string, accountId: string): Promise<void> {
    await this.unitOfWork.run(async ({ zones }) => {
      if (!(await zones.lock(domainId))) return;
      // Others may have changed it before the lock.
      const zone = await zones.findDiscovery(domainId);
      if (!zone) return;
      const wanted = this.wanted(zone);
      if (wanted !== zone.discovery) await zones.setDiscovery(domainId, wanted);
    }, accountId);
  }
}
