import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EppServer, type EppServerSettings } from '../../../src/infrastructure/registry/sandbox/epp-server/epp-server';
import {
  serverCertificate,
  type ServerCertificate,
} from '../../../src/infrastructure/registry/sandbox/epp-server/server-certificate';
import { SystemClock } from '../../../src/infrastructure/system/system-clock';
import { EppSchemas } from './epp-schemas';
import { RecordingLog } from '../fakes/recording-log';

export interface SandboxRegistry {
  readonly server: EppServer;
  readonly host: string;
  readonly port: number;
  readonly certificate: ServerCertificate;
  /** Its SQLite file. */
  readonly file: string;
  readonly log: RecordingLog;
  /** Its initial registrars. */
  readonly registrars: Readonly<Record<'first' | 'second', { readonly id: string; readonly password: string }>>;
  /** Number of received and sent frames. */
  frames(): number;
  /** Schema violations of the frames so far. */
  faults(): Promise<readonly string[]>;
  /** Documents that are invalid on purpose. */
  exempt(matches: (document: string) => boolean): void;
  stop(): Promise<void>;
}

/** The sandbox registry in this process, with a free port and a temporary folder. */
export async function startSandboxRegistry(settings: Partial<EppServerSettings> = {}): Promise<SandboxRegistry> {
  const folder = mkdtempSync(join(tmpdir(), 'namewright-epp-'));
  const certificate = await serverCertificate(folder, new Date());
  const log = new RecordingLog();
  const schemas = new EppSchemas();
  const exemptions: ((document: string) => boolean)[] = [];
  const verdicts: Promise<readonly string[]>[] = [];
  const watch: EppServerSettings['watch'] = (direction, document) => {
    settings.watch?.(direction, document);
    if (exemptions.some((matches) => matches(document))) return;
    verdicts.push(
      schemas.faultsOf(document).then((faults) => faults.map((fault) => `${direction}: ${fault}\n${document}`)),
    );
  };
  const file = join(folder, 'registry.db');
  const server = new EppServer({
    file,
    certificate: certificate.certificate,
    key: certificate.key,
    clock: new SystemClock(),
    log,
    ...settings,
    watch,
  });
  await server.open();
  const registrars = {
    first: { id: 'first-registrar', password: 'first-password' },
    second: {
      id: 'second-regist',
      password: settings.personality ? 'second-password' : 'a password longer than plain EPP can carry',
    },
  };
  for (const { id, password } of Object.values(registrars)) await server.setPassword(id, password);
  const port = await server.listen(0, '127.0.0.1');
  return {
    server,
    port,
    certificate,
    file,
    log,
    registrars,
    host: '127.0.0.1',
    frames: () => verdicts.length,
    faults: async () => (await Promise.all(verdicts)).flat(),
    exempt: (matches) => void exemptions.push(matches),
    stop: async () => {
      await server.close();
      await Promise.allSettled(verdicts);
      await schemas.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
