import { isNativeError } from 'node:util/types';
import type { Log } from '../../application/ports/system';
import type { SecondaryReport, ZonePublisher, ZoneState } from '../../application/ports/dns/publishing';
import { endpointText, type Endpoint } from '../../domain/dns/secondaries/secondary';
import type { DnsListener } from './dns-listener';
import type { NameserverClient } from './nameserver-client';
import type { Notifier } from './notify/notifier';
import type { SecondaryStatus } from './notify/secondary-link';
import type { SecondaryQueries } from './notify/secondary-queries';

/** Where to listen for requests from secondaries. */
export type DnsListen =
  | { readonly kind: 'off' }
  /** `isDefault`: DNS_LISTEN is not set, so a port in use is a warning and not an error. */
  | { readonly kind: 'on'; readonly endpoint: Endpoint; readonly isDefault: boolean };

interface HiddenPrimaryParts {
  readonly listen: DnsListen;
  readonly notifier: Notifier;
  readonly client: NameserverClient;
  readonly queries: SecondaryQueries;
  readonly log: Log;
}

/** The primary that secondaries transfer zones from, see docs/decisions/0006. */
export class HiddenPrimary implements ZonePublisher {
  private listener: DnsListener | undefined;

  constructor(private readonly parts: HiddenPrimaryParts) {}

  /** Returns the bound endpoint, or undefined if off. @throws Error if DNS_LISTEN is set and cannot be bound */
  async start(listener: DnsListener): Promise<Endpoint | undefined> {
    const { listen, log, notifier } = this.parts;
    if (listen.kind === 'off') return undefined;
    try {
      const endpoint = await listener.listen(listen.endpoint);
      log.info({ address: endpointText(endpoint) }, 'listening for DNS requests');
      notifier.start(endpoint);
      this.listener = listener;
      return endpoint;
    } catch (error) {
      const address = endpointText(listen.endpoint);
      if (!listen.isDefault)
        throw new Error(
          `cannot listen for DNS requests at ${address} (${codeOf(error)}); set DNS_LISTEN to an address and port that are free and permitted, or to off`,
          { cause: error },
        );
      log.warn(
        { address, reason: codeOf(error) },
        'cannot listen for DNS requests at the default address; set DNS_LISTEN to another address, or to off',
      );
      return undefined;
    }
  }

  async stop(): Promise<void> {
    const { client, notifier } = this.parts;
    const { listener } = this;
    this.listener = undefined;
    if (listener) {
      await notifier.stop();
      await listener.close();
    }
    client.close();
  }

  secondaryStatuses(): readonly SecondaryStatus[] {
    return this.parts.notifier.statuses();
  }

  notifySecondaries(zone: ZoneState): void {
    this.parts.notifier.notifyAll(zone);
  }

  querySecondaries(zone: Pick<ZoneState, 'zoneName'>): Promise<readonly SecondaryReport[]> {
    return this.parts.queries.query(zone);
  }
}

function codeOf(error: unknown): string {
  return isNativeError(error) && 'code' in error ? String(error.code) : 'unknown reason';
}
