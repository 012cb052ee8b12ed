import type { AddressInfo } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import type { Clock } from '../../../../application/ports/system/clock';
import type { Log } from '../../../../application/ports/system/log';
import { Mutex } from '../../../persistence/database/mutex';
import { NAMESPACES } from '../../epp/codec/namespaces';
import type { Charge } from '../simulated/registration';
import { PRICE_LIST } from '../simulated/price-list';
import type { TldOffer } from '../simulated/tld-offer';
import { RegistryBackend, type HostsAre } from './registry-backend';
import { CommandDispatcher } from './commands/command-dispatcher';
import { BackendStore } from './backend-store';
import { LoginCommands } from './commands/login-commands';
import { PollCommands } from './commands/poll-commands';
import { ServerConnection } from './server-connection';
import { ServerSession, type CommandHandlers } from './server-session';
import { SessionRegister } from './session-register';
import { WireFaults } from './wire-faults';

export interface EppServerSettings {
  /** The SQLite file of everything that the registry knows. */
  readonly file: string;
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly priceList?: readonly TldOffer[];
  readonly hostsAre?: HostsAre;
  /** See `BackendSettings`. */
  readonly removesFirst?: boolean;
  /** Of one registrar at a time. */
  readonly maxSessions?: number;
  /** A connection that is silent for so long is closed. */
  readonly idleMs?: number;
  /** Sees every document that comes or goes. */
  readonly watch?: (direction: 'received' | 'sent', document: string) => void;
}

const DEFAULTS = { hostsAre: 'objects', maxSessions: 20, idleMs: 600_000 } as const;
const EXTENSIONS = [NAMESPACES.rgp, NAMESPACES.secDNS, NAMESPACES.fee, NAMESPACES.loginSec];
/** Whoever connects more often than this has to wait for somebody to leave. */
const MAX_CONNECTIONS = 1_000;
const HANDSHAKE_MS = 10_000;

/** The simulated registry as a registry of its own: EPP over TLS (RFC 5730 to 5734), for several registrars. */
export class EppServer {
  readonly faults: WireFaults;
  private readonly store: BackendStore;
  private readonly backend: RegistryBackend;
  private readonly desks: CommandHandlers;
  private readonly server: Server;
  private readonly connections = new Set<ServerConnection>();

  constructor(private readonly settings: EppServerSettings) {
    const {
      file,
      certificate,
      key,
      clock,
      log,
      priceList = PRICE_LIST,
      hostsAre = DEFAULTS.hostsAre,
      removesFirst = false,
      maxSessions = DEFAULTS.maxSessions,
    } = settings;
    this.store = new BackendStore(file);
    this.backend = new RegistryBackend({ store: this.store, clock, priceList, hostsAre, removesFirst });
    this.faults = new WireFaults(this.store.registry);
    const desk = new CommandDispatcher(this.backend);
    const offered = { objects: desk.objects, extensions: EXTENSIONS };
    this.desks = {
      backend: this.backend,
      desk,
      offered,
      log,
      login: new LoginCommands(this.store, [...offered.objects, ...offered.extensions]),
      poll: new PollCommands(this.backend),
      faults: this.faults,
      sessions: new SessionRegister(maxSessions),
      oneAtATime: new Mutex(),
    };
    this.server = createServer(
      { cert: certificate, key, minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_MS },
      (socket) => this.serve(socket),
    );
    this.server.maxConnections = MAX_CONNECTIONS;
    this.server.on('tlsClientError', (error) => log.info({ err: error }, 'a client did not get as far as TLS'));
  }

  /** Opens the store; whoever only wants to set something up need not listen. */
  async open(): Promise<void> {
    await this.store.open();
  }

  /** Answers the port. */
  async listen(port: number, host: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, resolve);
    });
    return (this.server.address() as AddressInfo).port;
  }

  /** What has arrived is answered first. */
  async close(): Promise<void> {
    const closed = this.server.listening ? new Promise((resolve) => this.server.close(resolve)) : undefined;
    await Promise.all([...this.connections].map((connection) => connection.close()));
    await closed;
    await this.store.close();
  }

  /** Makes a registrar, or gives it another password. */
  async setPassword(registrar: string, password: string): Promise<void> {
    await this.desks.login.setPassword(registrar, password, this.settings.clock.now());
  }

  async registrars(): Promise<readonly string[]> {
    return this.store.registrars();
  }

  /** Moves the registry's clock ahead; what falls due on the way happens in order. Answers the new time. */
  async advance(days: number): Promise<Date> {
    return this.backend.core.advance(days);
  }

  /** Everything that a registrar was charged or refunded, oldest first. */
  async charges(registrar: string): Promise<readonly Charge[]> {
    return this.store.registry.read((records) => records.charges(registrar));
  }

  private serve(socket: TLSSocket): void {
    const { log, watch, idleMs = DEFAULTS.idleMs } = this.settings;
    const connection = new ServerConnection(socket, new ServerSession(this.desks), { idleMs, log, watch });
    this.connections.add(connection);
    void connection.gone.then(() => this.connections.delete(connection));
  }
}
