import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OpenFirstAccount } from './application/access/open-first-account';
import { OperationRunner } from './application/operations/operation-runner';
import { Log } from './application/ports/log';
import { loadConfig, ConfigurationError, type Config } from './config';
import { createContainer } from './container/container';
import { createApp } from './http/app';
import { drainable } from './http/drainable';
import { createHttpServer } from './http/server';

const FINISH_WITHIN_MS = 6_000;
const STOP_WITHIN_MS = 9_000;

async function serve(config: Config): Promise<void> {
  const { container, close } = await createContainer(config);
  const log = container.get<Log>(Log);
  const runner = container.get(OperationRunner);
  const server = createHttpServer(createApp(container));
  const drain = drainable(server);
  const address = await listen(server, config);
  runner.start();
  log.info({ address }, 'listening');
  if (config.environment !== 'production') await welcome(address, container.get(OpenFirstAccount));

  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    await drain(FINISH_WITHIN_MS);
    await runner.stop();
    await close();
    process.exit(0);
  };
  process.once('SIGTERM', (signal) => void stop(signal));
  process.once('SIGINT', (signal) => void stop(signal));
}

function listen(server: Server, { port, host }: Config): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new Error(`port ${port} of ${host} is taken by another process; set PORT to a free one`, { cause: error }) : error);
    });
    server.listen(port, host, () => {
      const bound = server.address() as AddressInfo;
      resolve(`http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`);
    });
  });
}

/** Printed once, whatever the log level: without it nobody could use a fresh installation. */
async function welcome(address: string, firstAccount: OpenFirstAccount): Promise<void> {
  const key = await firstAccount.execute();
  if (key === undefined) return;
  process.stdout.write(
    `\nNamewright is running at ${address}\nYour first API key (ADMIN), shown only now: ${key}\nTry it:\n` +
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
