import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { RegistryUnavailable } from '../../../src/application/ports/registry/registry-errors';
import type { RegistryAdapter } from '../../../src/infrastructure/registry/registry-adapter';
import type { RegistryFactory } from '../../../src/infrastructure/registry/registry-adapter';
import { startSimulated } from '../../../src/infrastructure/registry/sandbox/simulated/start-simulated';
import { SeededRandom } from '../random';
import { reached } from './crash-point';
import { MISCHIEFS, type Mischief } from './mischief';

const COMMANDS: ReadonlySet<string | symbol> = new Set<keyof RegistryAdapter>([
  'register',
  'renew',
  'setNameservers',
  'setRegistrant',
  'setTransferLock',
  'issueAuthCode',
]);
/** Those whose repetition the port says to be refused. */
const GUARDED: ReadonlySet<string | symbol> = new Set<keyof RegistryAdapter>(['register', 'renew']);
/** Of all commands, the share that meets each kind. */
const MISCHIEF = Number(process.env['MISCHIEF'] ?? '0');
const random = new SeededRandom(Number(process.env['MISCHIEF_SEED'] ?? '0'));
/** Longer than any command may take. */
const TOO_LATE_MS = Number(process.env['TOO_LATE_MS'] ?? '0');

/** The simulated registry behind a line on which answers are lost, come too late, or belong to the second delivery of one command. */
const crashing: RegistryFactory = async (context) => {
  const running = await startSimulated(context);
  return { ...running, port: behindABadLine(running.port) };
};
// oxlint-disable-next-line import/no-default-export -- what an operator names as an adapter exports its factory by default
export default crashing;

function behindABadLine(port: RegistryAdapter): RegistryAdapter {
  return new Proxy(port, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      const call = (given: readonly unknown[]) => Reflect.apply(method, target, given) as Promise<unknown>;
      return COMMANDS.has(name)
        ? (...given: readonly unknown[]) => delivered(() => call(given), GUARDED.has(name))
        : (...given: readonly unknown[]) => call(given);
    },
  });
}

async function delivered(call: () => Promise<unknown>, guarded: boolean): Promise<unknown> {
  reached('before the call');
  const answer = await call();
  reached('after the effect');
  switch (mischief()) {
    case 'lost':
      throw new RegistryUnavailable('The answer was lost');
    case 'late':
      await sleep(TOO_LATE_MS);
      return answer;
    case 'duplicated':
      return deliveredAgain(call, answer, guarded);
    case undefined:
  }
  return answer;
}

function mischief(): Mischief | undefined {
  const kind = MISCHIEFS[Math.floor(random.next() / MISCHIEF)];
  if (kind) writeSync(1, `answer ${kind}\n`);
  return kind;
}

/** The registry sees the command twice; of a guarded one, the answer that reaches us is the second one. */
async function deliveredAgain(call: () => Promise<unknown>, first: unknown, guarded: boolean): Promise<unknown> {
  const second = call();
  if (guarded) return second;
  await second.catch(() => undefined);
  return first;
}
