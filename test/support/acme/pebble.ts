import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverCertificate } from '../../../src/infrastructure/registry/sandbox/epp-server/server-certificate';
import { freePort } from '../free-port';

/** A private ACME server (RFC 8555) that validates challenges at once. */
export interface Pebble {
  /** The URL of its directory. */
  readonly directory: string;
  /** The file with the certificate of its HTTPS server. */
  readonly certificateFile: string;
  stop(): Promise<void>;
}

/** @param resolver the address and port of the DNS server that it asks for challenges */
export async function startPebble(folder: string, resolver: string): Promise<Pebble> {
  const port = await freePort();
  const { file: certificateFile } = await serverCertificate(folder, new Date());
  const config = join(folder, 'pebble.json');
  writeFileSync(
    config,
    JSON.stringify({
      pebble: {
        listenAddress: `127.0.0.1:${port}`,
        managementListenAddress: `127.0.0.1:${await freePort()}`,
        certificate: certificateFile,
        privateKey: join(folder, 'key.pem'),
        httpPort: await freePort(),
        tlsPort: await freePort(),
      },
    }),
  );
  const child = spawn('pebble', ['-config', config, '-dnsserver', resolver], {
    env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.resume();
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => String(text).includes('ACME directory available') && resolve());
    child.once('exit', () => reject(new Error('Pebble ended')));
  });
  return {
    directory: `https://localhost:${port}/dir`,
    certificateFile,
    stop: async () => {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
