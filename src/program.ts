import type { Log } from './application/ports/system/log';
import { ConfigurationError, type Config } from './config';
import { checkedConfig } from './container/checked-config';
import { explain } from './explain';

const STOP_WITHIN_MS = 9_000;

/** Runs a program on the configuration that the environment gives; says what is wrong where it cannot start. */
export function runProgram(program: (config: Config) => Promise<void>): void {
  checkedConfig(process.env).then(program).catch(fail);
}

/** Ends the process with 0 after `stop`, or with 1 where that takes too long. */
export function stopOnSignal(log: Log, stop: () => Promise<void>): void {
  const onSignal = async (signal: NodeJS.Signals): Promise<void> => {
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    const stopped = stop();
    log.info({ signal }, 'stopping');
    await stopped;
    process.exit(0);
  };
  process.once('SIGTERM', (signal) => void onSignal(signal));
  process.once('SIGINT', (signal) => void onSignal(signal));
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof ConfigurationError ? error.message : `Namewright could not start: ${explain(error)}`}\n`);
  process.exit(1);
}
