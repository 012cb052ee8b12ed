import type {
  FoundZone,
  NameserverCheck,
  NameserverKeys,
  ZoneSources,
  ZoneTransferRequest,
} from '../../../application/ports/dns/other-nameservers';
import { ZoneSourceFailed } from '../../../domain/dns/dns-errors';
import type { WritableType } from '../../../domain/dns/records/types/record-types';
import { NameserverAddresses } from './nameserver-addresses';
import type { Network } from '../../network/public-addresses';
import { checkNameserver, lookUpZone } from './zone-lookup';
import { readKeys } from './served-keys';
import { transferZone } from './zone-transfer';

/** Over all accounts, and of one: a nameserver can keep a transfer open for a minute. More at once are refused. */
const MAX_CONCURRENT = 8;
const MAX_OF_ACCOUNT = 6;

/** Reads zones over the network, from public nameservers and those that the operator allows. */
export class NetworkZoneSources implements ZoneSources {
  private readonly addresses: NameserverAddresses;
  /** By account. */
  private readonly running = new Map<string, number>();

  /** @param types the record types that are read */
  constructor(
    allowedNetworks: readonly Network[],
    private readonly types: readonly WritableType[],
  ) {
    this.addresses = new NameserverAddresses(allowedNetworks);
  }

  transfer(request: ZoneTransferRequest, accountId: string): Promise<FoundZone> {
    return this.limited(accountId, async () =>
      transferZone(request, await this.addresses.resolve(request.nameserver), this.types),
    );
  }

  lookUp(zoneName: string, nameservers: readonly string[], accountId: string): Promise<FoundZone> {
    return this.limited(accountId, async () => {
      for (const nameserver of nameservers) {
        const endpoint = await this.addresses.resolve(nameserver).catch(() => undefined);
        const { state } = await checkNameserver(zoneName, nameserver, endpoint);
        if (endpoint && state === 'answers') return lookUpZone(zoneName, endpoint, nameserver);
      }
      throw new ZoneSourceFailed(`None of ${nameservers.join(', ')} answers for ${zoneName}`);
    });
  }

  check(zoneName: string, nameservers: readonly string[], accountId: string): Promise<readonly NameserverCheck[]> {
    return this.limited(accountId, () =>
      Promise.all(
        nameservers.map(async (nameserver) =>
          checkNameserver(zoneName, nameserver, await this.addresses.resolve(nameserver).catch(() => undefined)),
        ),
      ),
    );
  }

  keys(zoneName: string, nameservers: readonly string[], accountId: string): Promise<readonly NameserverKeys[]> {
    return this.limited(accountId, () =>
      Promise.all(
        nameservers.map(async (nameserver) => {
          const endpoint = await this.addresses.resolve(nameserver).catch(() => undefined);
          return { nameserver, served: endpoint && (await readKeys(zoneName, endpoint, new Date())) };
        }),
      ),
    );
  }

  private async limited<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const all = [...this.running.values()].reduce((sum, count) => sum + count, 0);
    if (all >= MAX_CONCURRENT || this.runningOf(accountId) >= MAX_OF_ACCOUNT)
      throw new ZoneSourceFailed('Too many zones are being read at the moment. Try again in a minute');
    this.running.set(accountId, this.runningOf(accountId) + 1);
    try {
      return await work();
    } finally {
      const left = this.runningOf(accountId) - 1;
      if (left > 0) this.running.set(accountId, left);
      else this.running.delete(accountId);
    }
  }

  private runningOf(accountId: string): number {
    return this.running.get(accountId) ?? 0;
  }
}
