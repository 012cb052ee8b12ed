import { EppClient } from '../../../src/infrastructure/registry/epp/session/epp-client';
import { EppSession, type SessionSettings } from '../../../src/infrastructure/registry/epp/session/epp-session';
import { EppSessionPool } from '../../../src/infrastructure/registry/epp/session/epp-session-pool';
import { RecordingLog } from '../fakes/recording-log';
import {
  aCertificate,
  startScriptedServer,
  type Certificate,
  type ScriptedServer,
  type ScriptedServerOptions,
} from './scripted-epp-server';

export const SECRET = 'not-for-logs';

export interface SessionOverrides {
  readonly endpoint?: Partial<SessionSettings['endpoint']>;
  readonly timeouts?: Partial<SessionSettings['timeouts']>;
  readonly password?: string;
}

/** Sessions and clients of one scripted server, which each test starts. */
export class ScriptedSessions {
  log = new RecordingLog();
  server!: ScriptedServer;
  private certificate!: Certificate;

  /** Call it in a file's top level: it prepares each test and closes its server. */
  static forEachTest(): ScriptedSessions {
    const sessions = new ScriptedSessions();
    beforeAll(async () => {
      sessions.certificate = await aCertificate();
    });
    beforeEach(() => {
      sessions.log = new RecordingLog();
    });
    afterEach(() => sessions.server.close());
    return sessions;
  }

  async serve(options: Partial<ScriptedServerOptions> = {}): Promise<void> {
    this.server = await startScriptedServer({ certificate: this.certificate, ...options });
  }

  open({ endpoint = {}, timeouts = {}, password = SECRET }: SessionOverrides = {}): Promise<EppSession> {
    return EppSession.open(
      {
        registry: 'example',
        endpoint: { host: 'localhost', port: this.server.port, ca: this.certificate.cert, ...endpoint },
        credentials: { clientId: 'namewright', password },
        timeouts: { connectMs: 60_000, greetingMs: 60_000, commandMs: 60_000, ...timeouts },
      },
      this.log,
    );
  }

  client(overrides?: SessionOverrides): EppClient {
    return new EppClient(
      new EppSessionPool(
        () => this.open(overrides),
        { registry: 'example', maxSessions: 2, keepAliveMs: 60_000, lifetimeMs: 3_600_000, acquireTimeoutMs: 60_000 },
        this.log,
      ),
    );
  }
}
