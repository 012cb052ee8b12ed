import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { UsageError } from './cli/usage-error';
import {
  parseRegistryCommand,
  REGISTRY_USAGE,
  type RegistryCommand,
  type RegistryOptions,
} from './cli/topics/registry-commands';
import { endpointText } from './domain/dns/secondaries/secondary';
import { explain, listenError } from './explain';
import { EppServer } from './infrastructure/registry/sandbox/epp-server/epp-server';
import { serverCertificate } from './infrastructure/registry/sandbox/epp-server/server-certificate';
import { createLogger, PinoLog } from './infrastructure/system/pino-log';
import { SystemClock } from './infrastructure/system/system-clock';
import { stopOnSignal } from './program';

const BAD_INPUT = 2;
const FAILED = 1;
/** Created at the first start: one for the service, and one for transfers. */
const FIRST_REGISTRARS = ['namewright', 'another'];
/** 96 bits, in the 16 characters that a login allows (RFC 5730). */
const PASSWORD_BYTES = 12;

async function main(command: RegistryCommand): Promise<void> {
  if (command.kind === 'help') return print(REGISTRY_USAGE);
  const { options } = command;
  const log = new PinoLog(createLogger(command.kind === 'serve' ? 'info' : 'silent'));
  const clock = new SystemClock();
  const { certificate, key, file } = await serverCertificate(options.folder, clock.now());
  const server = new EppServer({ ...options, file: join(options.folder, 'registry.db'), certificate, key, clock, log });
  await server.open();
  if (command.kind === 'serve') {
    const port = await server.listen(options.port, options.host).catch((error: NodeJS.ErrnoException) => {
      throw listenError(error, { ...options, cure: 'choose a free one with --port' });
    });
    log.info({ address: `${options.host}:${port}` }, 'listening');
    if (options.dns) {
      const { endpoint, nameserver } = options.dns;
      log.info({ address: endpointText(await server.listenDns(endpoint, nameserver)) }, 'listening for DNS requests');
    }
    await createFirstRegistrars(server, options, port, file);
    stopOnSignal(log, () => server.close());
    return;
  }
  try {
    print(await execute(command, server));
  } finally {
    await server.close();
  }
}

async function execute(
  command: Exclude<RegistryCommand, { kind: 'help' | 'serve' }>,
  server: EppServer,
): Promise<string> {
  if (command.kind === 'list') return (await server.registrars()).join('\n');
  if (command.kind === 'set') return newPassword(server, command.registrar);
  if (command.kind === 'advance')
    return `The registry's time is now ${(await server.advance(command.days)).toISOString()}`;
  if (command.kind === 'fault') await server.faults.inject(command.fault);
  else await server.faults.clear();
  return command.kind === 'fault' ? `Fault injected: ${command.fault.kind}` : 'All faults cleared';
}

/** Prints the passwords once, because only their hashes are stored. */
async function createFirstRegistrars(
  server: EppServer,
  { host }: RegistryOptions,
  port: number,
  certificate: string,
): Promise<void> {
  if ((await server.registrars()).length > 0) return;
  const passwords = await Promise.all(
    FIRST_REGISTRARS.map(async (registrar) => ({ registrar, password: await newPassword(server, registrar) })),
  );
  const lines = passwords.map(({ registrar, password }) => `  ${registrar.padEnd(12)} ${password}`);
  process.stdout.write(
    `\nThe sandbox registry listens at ${host}:${port}. Its registrars and their passwords, shown only now:\n${lines.join('\n')}\n` +
      `Its certificate: ${certificate}\n` +
      `Settings for a registries file (docs/registries.md):\n` +
      `  registries:\n    sandbox:\n      adapter: epp\n      settings: { host: ${host}, port: ${port}, ca: { file: ${certificate} }, client_id: ${FIRST_REGISTRARS[0]}, password: { env: EPP_PASSWORD } }\n      tlds: [com, net, org]\n\n`,
  );
}

async function newPassword(server: EppServer, registrar: string): Promise<string> {
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  await server.setPassword(registrar, password);
  return password;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof UsageError ? `${error.message}\n\n${REGISTRY_USAGE}` : explain(error)}\n`);
  process.exitCode = error instanceof UsageError ? BAD_INPUT : FAILED;
}

try {
  main(parseRegistryCommand(process.argv.slice(2))).catch(fail);
} catch (error) {
  fail(error);
}
