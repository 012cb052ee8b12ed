import { isNativeError } from 'node:util/types';
import type { Clock } from '../../application/ports/system/clock';
import type { Log } from '../../application/ports/system/log';
import type { SecondaryDirectory } from '../../application/ports/dns/secondary-directory';
import type { SecondaryReport, ZonePublisher, ZoneState } from '../../application/ports/dns/zone-publisher';
import { endpointText, type Endpoint } from '../../domain/dns/secondary';
import type { DnsListener } from './dns-listener';
import type { NameserverClient } from './nameserver-client';
import type { Notifier } from './notifier';
import type { Sightings } from './sightings';

/** Where to answer nameservers. */
export type DnsListen =
  | { readonly kind: 'off' }
  /** `isDefault`: nobody asked for it, so that the service goes on without where the port is taken. */
  | { readonly kind: 'on'; readonly endpoint: Endpoint; readonly isDefault: boolean };

export interface HiddenPrimaryParts {
  readonly listen: DnsListen;
  readonly listener: DnsListener;
  readonly notifier: Notifier;
  readonly directory: SecondaryDirectory;
  readonly client: NameserverClient;
  readonly sightings: Sightings;
  readonly clock: Clock;
  readonly log: Log;
}

const ATTEMPTS = 2;

/** Secondaries transfer the zones from here, get a NOTIFY on each change and are asked for their serials: docs/decisions/0006. */
export class HiddenPrimary implements ZonePublisher {
  private state: 'stopped' | 'listening' = 'stopped';

  constructor(private readonly parts: HiddenPrimaryParts) {}

  /** Answers where it listens, if it does. @throws Error where the address that was asked for cannot be had */
  async start(): Promise<Endpoint | undefined> {
    const { listen, listener, log, notifier } = this.parts;
    if (listen.kind === 'off') return undefined;
    try {
      const endpoint = await listener.listen(listen.endpoint);
      log.info({ address: endpointText(endpoint) }, 'listening for nameservers');
      notifier.start(endpoint);
      this.state = 'listening';
      return endpoint;
    } catch (error) {
      const address = endpointText(listen.endpoint);
      if (!listen.isDefault)
        throw new Error(
          `nameservers cannot be answered at ${address} (${codeOf(error)}); set DNS_LISTEN to an address and port that are free and may be had, or to off`,
          { cause: error },
        );
      log.warn(
        { address, err: error },
        'nameservers cannot be answered at the default address; set DNS_LISTEN to another one, or to off',
      );
      return undefined;
    }
  }

  async stop(): Promise<void> {
    const { client, listener, notifier } = this.parts;
    if (this.state === 'listening') {
      await notifier.stop();
      await listener.close();
    }
    this.state = 'stopped';
    client.close();
  }

  announce(zone: ZoneState): void {
    this.parts.notifier.announce(zone);
  }

  async ask({ zoneName }: Pick<ZoneState, 'zoneName'>): Promise<readonly SecondaryReport[]> {
    const { client, clock, directory, sightings } = this.parts;
    const secondaries = await directory.all();
    return Promise.all(
      secondaries.map(async ({ name, endpoint, signs }) => {
        let answer = await client.version({ endpoint, zoneName, byRecord: signs });
        for (let attempt = 1; attempt < ATTEMPTS && answer.kind === 'unreachable'; attempt += 1)
          answer = await client.version({ endpoint, zoneName, byRecord: signs });
        return { secondary: name, answer: sightings.record(name, zoneName, answer, clock.now()) };
      }),
    );
  }
}

function codeOf(error: unknown): string {
  return isNativeError(error) && 'code' in error ? String(error.code) : 'unknown reason';
}
