import { readFileSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { RegistryUnavailable } from '../../../src/application/ports/registry/registry-errors';
import type { RegistryAdapter } from '../../../src/infrastructure/registry/registry-adapter';
import type { RegistryFactory } from '../../../src/infrastructure/registry/registry-adapter';
import { REGISTRY_ADAPTERS, type RegistryAdapterName } from '../../../src/infrastructure/registry/registry-factory';
import { startSimulated } from '../../../src/infrastructure/registry/sandbox/simulated/start-simulated';
import { SeededRandom } from '../random';
import { crashAt } from './crash-point';
import { RESPONSE_FAULTS, type ResponseFault } from './response-faults';

const COMMANDS: ReadonlySet<string | symbol> = new Set<keyof RegistryAdapter>([
  'register',
  'renew',
  'setNameservers',
  'setGlue',
  'setRegistrant',
  'setTransferLock',
  'issueAuthCode',
]);
/** Commands that a registry rejects when repeated. */
const GUARDED: ReadonlySet<string | symbol> = new Set<keyof RegistryAdapter>(['register', 'renew']);
/** The probability of each kind of fault. */
const RESPONSE_FAULT_RATE = Number(process.env['RESPONSE_FAULT_RATE'] ?? '0');
const random = new SeededRandom(Number(process.env['RESPONSE_FAULT_SEED'] ?? '0'));
/** Longer than the timeout of a command. */
const TOO_LATE_MS = Number(process.env['TOO_LATE_MS'] ?? '0');

/**
 * The simulated registry behind an unreliable connection: responses are lost, late, or belong to a duplicated command. With
 * the setting `adapter`, that adapter instead, with the settings in the JSON file `adapter_settings`.
 */
const crashing: RegistryFactory = async (context) => {
  const { adapter, adapter_settings: file } = context.settings;
  const running =
    adapter === undefined
      ? await startSimulated(context)
      : await REGISTRY_ADAPTERS[adapter as RegistryAdapterName]({
          ...context,
          settings: JSON.parse(readFileSync(String(file), 'utf8')) as Record<string, unknown>,
        });
  return { ...running, port: withResponseFaults(running.port) };
};
// oxlint-disable-next-line import/no-default-export -- an adapter module must export its factory by default
export default crashing;

function withResponseFaults(port: RegistryAdapter): RegistryAdapter {
  return new Proxy(port, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      const call = (given: readonly unknown[]) => Reflect.apply(method, target, given) as Promise<unknown>;
      return COMMANDS.has(name)
        ? (...given: readonly unknown[]) => sendWithFault(() => call(given), GUARDED.has(name))
        : (...given: readonly unknown[]) => call(given);
    },
  });
}

async function sendWithFault(call: () => Promise<unknown>, guarded: boolean): Promise<unknown> {
  crashAt('before the call');
  const response = await call();
  crashAt('after the effect');
  switch (pickFault()) {
    case 'lost':
      throw new RegistryUnavailable('The response was lost');
    case 'late':
      await sleep(TOO_LATE_MS);
      return response;
    case 'duplicated':
      return sendAgain(call, response, guarded);
    case undefined:
  }
  return response;
}

function pickFault(): ResponseFault | undefined {
  const kind = RESPONSE_FAULTS[Math.floor(random.next() / RESPONSE_FAULT_RATE)];
  if (kind) writeSync(1, `response ${kind}\n`);
  return kind;
}

/** Sends the command twice; for a guarded one, the second response is returned. */
async function sendAgain(call: () => Promise<unknown>, first: unknown, guarded: boolean): Promise<unknown> {
  const second = call();
  if (guarded) return second;
  await second.catch(() => undefined);
  return first;
}
