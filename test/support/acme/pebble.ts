import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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

const POLL_INTERVAL_MS = 20;

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
  let output = '';
  const append = (text: Buffer) => (output = `${output}${String(text)}`.slice(-2_000));
  for (const stream of [child.stdout, child.stderr]) stream.on('data', append);
  // Pebble logs "ACME directory available" before it listens.
  while (!(await accepts(port))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`Pebble ended: ${output}`);
    await sleep(POLL_INTERVAL_MS);
  }
  return {
    directory: `https://localhost:${port}/dir`,
    certificateFile,
    stop: async () => {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
