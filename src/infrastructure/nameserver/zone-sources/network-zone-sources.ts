import type {
  FoundZone,
  NameserverCheck,
  NameserverKeys,
  ZoneSources,
  ZoneTransferRequest,
} from '../../../application/ports/dns/zone-sources';
import { ZoneSourceFailed } from '../../../domain/dns/errors';
import type { WritableType } from '../../../domain/dns/records/types/record-types';
import { NameserverAddresses } from './nameserver-addresses';
import type { Network } from './public-addresses';
import { checkNameserver, lookUpZone } from './zone-lookup';
import { provenKeys } from './proven-keys';
import { transferZone } from './zone-transfer';

/** Over all accounts; more at once are refused. */
const MAX_CONCURRENT = 8;

/** Reads zones over the network, from public nameservers and those that the operator allows. */
export class NetworkZoneSources implements ZoneSources {
  private readonly addresses: NameserverAddresses;
  private running = 0;

  /** @param types the record types that are read */
  constructor(
    allowedNetworks: readonly Network[],
    private readonly types: readonly WritableType[],
  ) {
    this.addresses = new NameserverAddresses(allowedNetworks);
  }

  transfer(request: ZoneTransferRequest): Promise<FoundZone> {
    return this.limited(async () =>
      transferZone(request, await this.addresses.resolve(request.nameserver), this.types),
    );
  }

  lookUp(zoneName: string, nameservers: readonly string[]): Promise<FoundZone> {
    return this.limited(async () => {
      for (const nameserver of nameservers) {
        const endpoint = await this.addresses.resolve(nameserver).catch(() => undefined);
        const { state } = await checkNameserver(zoneName, nameserver, endpoint);
        if (endpoint && state === 'answers') return lookUpZone(zoneName, endpoint, nameserver);
      }
      throw new ZoneSourceFailed(`None of ${nameservers.join(', ')} answers for ${zoneName}`);
    });
  }

  check(zoneName: string, nameservers: readonly string[]): Promise<readonly NameserverCheck[]> {
    return this.limited(() =>
      Promise.all(
        nameservers.map(async (nameserver) =>
          checkNameserver(zoneName, nameserver, await this.addresses.resolve(nameserver).catch(() => undefined)),
        ),
      ),
    );
  }

  keys(zoneName: string, nameservers: readonly string[]): Promise<readonly NameserverKeys[]> {
    return this.limited(() =>
      Promise.all(
        nameservers.map(async (nameserver) => {
          const endpoint = await this.addresses.resolve(nameserver).catch(() => undefined);
          return { nameserver, keys: endpoint && (await provenKeys(zoneName, endpoint, new Date())) };
        }),
      ),
    );
  }

  private async limited<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= MAX_CONCURRENT)
      throw new ZoneSourceFailed('Too many zones are being read at the moment. Try again in a minute');
    this.running += 1;
    try {
      return await work();
    } finally {
      this.running -= 1;
    }
  }
}
