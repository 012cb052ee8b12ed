import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KeyUses } from './application/access/key-uses';
import { OpenFirstAccount } from './application/access/open-first-account';
import { OperationRunner } from './application/operations/operation-runner';
import { Log } from './application/ports/log';
import { loadConfig, ConfigurationError, type Config } from './config';
import { createContainer } from './container/container';
import { createApp } from './http/app';
import { createHttpServer } from './http/server';

const STOP_WITHIN_MS = 9_000;

async function serve(config: Config): Promise<void> {
  const { container, close } = await createContainer(config);
  const log = container.get<Log>(Log);
  const runner = container.get(OperationRunner);
  const server = createHttpServer(createApp(container));
  const address = await listen(server, config);
  runner.start();
  log.info({ address }, 'listening');
  if (config.environment !== 'production') await welcome(address, container.get(OpenFirstAccount));

  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeIdleConnections();
    });
    await runner.stop();
    await container.get(KeyUses).write();
    await close();
    process.exit(0);
  };
  process.once('SIGTERM', (signal) => void stop(signal));
  process.once('SIGINT', (signal) => void stop(signal));
}

function listen(server: Server, { port, host }: Config): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const bound = server.address() as AddressInfo;
      resolve(`http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`);
    });
  });
}

/** Printed once, whatever the log level: without it nobody could use a fresh installation. */
async function welcome(address: string, firstAccount: OpenFirstAccount): Promise<void> {
  const first = await firstAccount.execute();
  if (!first) return;
  const { key, email, password } = first;
  process.stdout.write(
    `\nNamewright is running.\n\n  Dashboard  ${address}\n  E-mail     ${email}\n  Password   ${password}\n  API key    ${key} (ADMIN)\n\n` +
      `The password and the key are shown only now. Try the interface:\n` +
      `  curl -s -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"query":"my-first-name"}' ${address}/api/domains/search\n\n`,
  );
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof ConfigurationError ? error.message : `Namewright could not start: ${error instanceof Error ? error.message : String(error)}`}\n`);
  process.exit(1);
}

try {
  serve(loadConfig(process.env)).catch(fail);
} catch (error) {
  fail(error);
}
