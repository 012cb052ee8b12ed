import type { AddressInfo } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import type { Clock, Log } from '../../../../application/ports/system';
import type { Endpoint } from '../../../../domain/dns/secondaries/secondary';
import { DnsListener } from '../../../nameserver/dns-listener';
import { TldResponder } from '../dns/tld-responder';
import { TldZones } from '../dns/tld-zones';
import { Mutex } from './mutex';
import type { Charge } from '../simulated/registration';
import { PRICE_LIST } from '../simulated/offers/price-list';
import type { TldOffer } from '../simulated/offers/tld-offer';
import { PERSONALITIES, type PersonalityName } from './personalities/personalities';
import type { DsRecordsAre, HostsAre, Personality } from './personalities/personality';
import { RegistryBackend } from './registry-backend';
import { CommandDispatcher } from './commands/command-dispatcher';
import { BackendStore } from './backend-store';
import { LoginCommands } from './commands/login-commands';
import { PollCommands } from './commands/poll-commands';
import { ServerConnection } from './server-connection';
import { ServerSession, type CommandHandlers } from './server-session';
import { SessionLimit } from './session-limit';
import { WireFaults } from './wire-faults';

export interface EppServerSettings {
  /** The registry's SQLite file. */
  readonly file: string;
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly priceList?: readonly TldOffer[];
  /** The registry whose rules the sandbox simulates; those of the RFCs if absent. It sets what is not set here. */
  readonly personality?: PersonalityName;
  readonly hostsAre?: HostsAre;
  readonly dsRecordsAre?: DsRecordsAre;
  /** See `BackendSettings`. */
  readonly removesFirst?: boolean;
  /** Concurrent sessions per registrar. */
  readonly maxSessions?: number;
  /** Idle time after which a connection is closed. */
  readonly idleMs?: number;
  /** Called with each received and sent document. */
  readonly watch?: (direction: 'received' | 'sent', document: string) => void;
}

const DEFAULTS = { hostsAre: 'objects', dsRecordsAre: 'ds', maxSessions: 20, idleMs: 600_000 } as const;
const MAX_CONNECTIONS = 1_000;
const HANDSHAKE_MS = 10_000;

/** The sandbox registry: an EPP server over TLS (RFC 5730 to 5734) for several registrars, on top of the simulated registry. */
export class EppServer {
  readonly faults: WireFaults;
  private readonly priceList: readonly TldOffer[];
  private readonly store: BackendStore;
  private readonly backend: RegistryBackend;
  private readonly handlers: CommandHandlers;
  private readonly server: Server;
  private readonly connections = new Set<ServerConnection>();
  private dns: DnsListener | undefined;

  constructor(private readonly settings: EppServerSettings) {
    const { file, certificate, key, clock, log, removesFirst = false, maxSessions = DEFAULTS.maxSessions } = settings;
    const personality: Personality = PERSONALITIES[settings.personality ?? 'rfc'];
    this.priceList = settings.priceList ?? personality.priceList ?? PRICE_LIST;
    this.store = new BackendStore(file);
    this.backend = new RegistryBackend({
      store: this.store,
      clock,
      priceList: this.priceList,
      hostsAre: settings.hostsAre ?? personality.hostsAre ?? DEFAULTS.hostsAre,
      dsRecordsAre: settings.dsRecordsAre ?? personality.dsRecordsAre ?? DEFAULTS.dsRecordsAre,
      personality,
      removesFirst,
    });
    this.faults = new WireFaults(this.store.registry);
    const dispatcher = new CommandDispatcher(this.backend);
    const offered = { objects: dispatcher.objects, extensions: personality.extensions };
    this.handlers = {
      backend: this.backend,
      dispatcher,
      offered,
      log,
      login: new LoginCommands(this.store, [...offered.objects, ...offered.extensions]),
      poll: new PollCommands(this.backend),
      faults: this.faults,
      sessions: new SessionLimit(maxSessions),
      oneAtATime: new Mutex(),
    };
    this.server = createServer(
      { cert: certificate, key, minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_MS },
      (socket) => this.serve(socket),
    );
    this.server.maxConnections = MAX_CONNECTIONS;
    this.server.on('tlsClientError', (error) => log.info({ err: error }, 'TLS handshake with a client failed'));
  }

  /** Opens the store. Commands like `setPassword` work without `listen`. */
  async open(): Promise<void> {
    await this.store.open();
  }

  /** Returns the port. */
  async listen(port: number, host: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, resolve);
    });
    return (this.server.address() as AddressInfo).port;
  }

  /** Serves the zones of the TLDs, unsigned. `address`: of their nameserver. Returns the bound endpoint. */
  async listenDns(endpoint: Endpoint, address = endpoint.address): Promise<Endpoint> {
    const { log } = this.settings;
    const { core } = this.backend;
    const source = {
      suffixes: this.priceList.map(({ suffix }) => suffix),
      registrations: () => core.registrations(),
      addressesOf: (hosts: readonly string[]) => this.store.addressesOf(hosts),
    };
    this.dns = new DnsListener(new TldResponder(new TldZones(source, address), log));
    return this.dns.listen(endpoint);
  }

  /** Responds to received commands first. */
  async close(): Promise<void> {
    await this.dns?.close();
    const closed = this.server.listening ? new Promise((resolve) => this.server.close(resolve)) : undefined;
    await Promise.all([...this.connections].map((connection) => connection.close()));
    await closed;
    await this.store.close();
  }

  /** Creates a registrar, or changes its password. */
  async setPassword(registrar: string, password: string): Promise<void> {
    await this.handlers.login.setPassword(registrar, password, this.settings.clock.now());
  }

  async registrars(): Promise<readonly string[]> {
    return this.store.registrars();
  }

  /** Advances the clock and applies the transitions that fall due. Returns the new time. */
  async advance(days: number): Promise<Date> {
    return this.backend.core.advance(days);
  }

  /** A registrar's charges and refunds, oldest first. */
  async charges(registrar: string): Promise<readonly Charge[]> {
    return this.store.registry.read((records) => records.charges(registrar));
  }

  private serve(socket: TLSSocket): void {
    const { log, watch, idleMs = DEFAULTS.idleMs } = this.settings;
    const connection = new ServerConnection(socket, new ServerSession(this.handlers), { idleMs, log, watch });
    this.connections.add(connection);
    void connection.closed.then(() => this.connections.delete(connection));
  }
}
