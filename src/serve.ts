import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { KeyUses } from './application/access/api-keys/authenticate';
import { DailyQuotas } from './application/quotas/daily-quotas';
import { OpenFirstAccount } from './application/access/open-first-account';
import { RequestPasswordReset } from './application/access/sign-in/request-password-reset';
import { EventWaits } from './application/events/event-waits';
import { OperationWaits } from './application/operations/operation-waits';
import { RegistrySandbox } from './application/ports/registry/registry-sandbox';
import { Log } from './application/ports/system';
import { ReplicaWatch } from './application/shared/replica-watch';
import { BackgroundWorker } from './application/worker/background-worker';
import type { Config } from './config';
import { productionWarnings } from './config/production-warnings';
import type { RunningContainer } from './container/container';
import { startMonitoring } from './container/monitoring';
import { listenError } from './explain';
import { createApp } from './http/app';
import { McpEndpoint } from './http/mcp/mcp-endpoint';
import { McpRouter } from './http/mcp/mcp-router';
import { LiveStreams } from './http/dashboard/live/live-streams';
import { drainable } from './http/server/connections';
import { createHttpServer } from './http/server/http-server';
import { DnsListener } from './infrastructure/nameserver/dns-listener';
import { HiddenPrimary } from './infrastructure/nameserver/hidden-primary';
import { keepServiceUrl, localUrl, urlOf } from './infrastructure/system/service-address';
import { stopOnSignal } from './program';

const SANDBOX =
  'The registry is a sandbox: names are simulated and cost nothing. docs/registries.md tells how to connect a real one.\n\n';
const FINISH_WITHIN_MS = 6_500;
/** How long requests may wait for operations after the signal, before those without a response are released. */
const HAND_BACK_AFTER_MS = 3_000;

/** Answers requests until a signal ends the process; runs operations as well, unless they are left to a worker. */
export async function serve(config: Config, running: Omit<RunningContainer, 'migrated'>): Promise<void> {
  const { container, close } = running;
  const log = container.get(Log);
  const worker = container.get(BackgroundWorker);
  const replicas = container.get(ReplicaWatch);
  const server = createHttpServer(createApp(container, () => drain.isDraining));
  const drain = drainable(server);
  // Before a DNS query or a request can wait for it.
  await container.get(McpEndpoint).load();
  const primary = container.get(HiddenPrimary);
  await primary.start(container.get(DnsListener));
  const monitoring = await startMonitoring(config, running, () => drain.isDraining);
  const bound = await listen(server, config);
  const address = urlOf(bound.address, bound.port);
  const url = localUrl(bound.address, bound.port);
  // Before a request or the worker can open a session with a registry.
  if (config.database.kind === 'mysql')
    replicas.start({ countsAlone: config.limitsStore === undefined, onCount: running.shareRegistries });
  const drainMs = config.drainSeconds * 1_000;
  const starting = finishStart(config, running, address, url);
  // Before the log says that it listens, because a reader of the log may stop it then.
  stopOnSignal(
    log,
    async () => {
      drain.announce();
      container.get(LiveStreams).release();
      container.get(McpRouter).release();
      // Without a delay, the listener is closed when the log says that the service stops.
      if (drainMs > 0) await sleep(drainMs);
      const served = drain.close(FINISH_WITHIN_MS);
      await Promise.race([served, sleep(HAND_BACK_AFTER_MS)]);
      // The rest of the start uses the database. Its failure is reported where it is awaited.
      await Promise.allSettled([starting]);
      await worker.stop();
      container.get(OperationWaits).release();
      container.get(EventWaits).release();
      await served;
      await container.get(RequestPasswordReset).stop();
      await primary.stop();
      await container.get(KeyUses).write();
      await container.get(DailyQuotas).write();
      await monitoring.close();
      await close();
    },
    drainMs,
  );

  await starting;
}

async function finishStart(
  config: Config,
  { container }: Pick<RunningContainer, 'container'>,
  address: string,
  url: string,
): Promise<void> {
  const log = container.get(Log);
  if (config.worker) await container.get(BackgroundWorker).start();
  for (const warning of productionWarnings(config)) log.warn({}, warning);
  await keepServiceUrl(config.database, url);
  log.info({ address }, 'listening');
  if (config.environment !== 'production')
    await welcome(url, container.get(OpenFirstAccount), { sandbox: container.isBound(RegistrySandbox) });
}

function listen(server: Server, { port, host }: Config): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(listenError(error, { host, port, cure: 'set PORT to a free one' }));
    });
    server.listen(port, host, () => {
      resolve(server.address() as AddressInfo);
    });
  });
}

/** Printed once at any log level, because a new installation is unusable without it. */
async function welcome(
  address: string,
  firstAccount: OpenFirstAccount,
  { sandbox }: { readonly sandbox: boolean },
): Promise<void> {
  const first = await firstAccount.execute();
  if (!first) return;
  const { key, email, password } = first;
  process.stdout.write(
    `\nNamewright is running at ${address}\nYour first API key (ADMIN), shown only now: ${key}\nTry it:\n` +
      `  curl -s -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"query":"my-first-name"}' ${address}/api/domains/search\n\n` +
      `The dashboard is at ${address}/\n  E-mail    ${email}\n  Password  ${password} (shown only now)\n\n${sandbox ? SANDBOX : ''}`,
  );
}
