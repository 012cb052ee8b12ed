import type { Log } from './application/ports/system';
import { ConfigurationError, type Config } from './config';
import { checkedConfig } from './container/checked-config';
import { explain } from './explain';
import { flushStandardOutput } from './infrastructure/system/pino-log';

const STOP_WITHIN_MS = 9_000;
const FLUSH_WITHIN_MS = 500;

/** Runs a program with the configuration of the environment; prints what is wrong if it cannot start. */
export function runProgram(program: (config: Config) => Promise<void>): void {
  // A reader that has gone ends the output, not the service.
  process.stdout.on('error', () => undefined);
  checkedConfig(process.env).then(program).catch(fail);
}

/** Ends the process with 0 after `stop`, or with 1 if that takes too long; `stop` waits for `drainMs` before its work begins. A second signal ends it at once. */
export function stopOnSignal(log: Log, stop: () => Promise<void>, drainMs = 0): void {
  const onSignal = async (signal: NodeJS.Signals): Promise<void> => {
    setTimeout(() => void exit(1), drainMs + STOP_WITHIN_MS).unref();
    const stopped = stop();
    log.info({ signal }, 'stopping');
    await stopped;
    await exit(0);
  };
  process.once('SIGTERM', (signal) => void onSignal(signal));
  process.once('SIGINT', (signal) => void onSignal(signal));
}

function fail(error: unknown): void {
  process.stderr.write(
    `${error instanceof ConfigurationError ? error.message : `Namewright could not start: ${explain(error)}`}\n`,
  );
  void exit(1);
}

/** A reader of standard output that has stalled would hold `process.exit` forever: then the process kills itself, with all its work stored. */
async function exit(code: number): Promise<void> {
  if (!(await flushStandardOutput(FLUSH_WITHIN_MS))) process.kill(process.pid, 'SIGKILL');
  process.exit(code);
}
