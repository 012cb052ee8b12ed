import { setTimeout as sleep } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import { pino, type DestinationStream, type Logger } from 'pino';
import type { Log, LogFacts } from '../../application/ports/system/log';
import { RepeatedLines } from './repeated-lines';

/** Nobody logs these; should somebody do so by mistake, they do not get out. */
const SECRETS = ['authorization', 'token', 'auth_code', 'authCode'];
const MAX_CAUSES = 5;
const WRITTEN_AT_ONCE_BYTES = 8_192;
const WRITTEN_WITHIN_MS = 100;
const UNREAD_BYTES = 16 * 1024 * 1024;

export class PinoLog implements Log {
  private isFlushing = false;
  private isMoreToFlush = false;
  private readonly repetitions = new RepeatedLines((line, repeated) =>
    this.write({ ...line.facts, repeated }, line.message),
  );

  constructor(private readonly logger: Logger) {}

  info(facts: LogFacts, message: string): void {
    this.logger.info(facts, message);
  }

  warn(facts: LogFacts, message: string): void {
    this.logger.warn(facts, message);
    this.flush();
  }

  /** The first of identical errors at once; those that follow within a minute are one line, with their number as `repeated`. */
  error(facts: LogFacts, message: string): void {
    if (this.repetitions.isFirst({ facts, message })) this.write(facts, message);
  }

  /** Writes the repetitions that wait for the end of their minute. */
  writeRepeated(): void {
    this.repetitions.end();
  }

  private write(facts: LogFacts, message: string): void {
    this.logger.error(facts, message);
    this.flush();
  }

  /** One at a time: each that is asked for of pino hangs listeners on the stream and ends in an fsync, and warnings come in crowds. */
  private flush(): void {
    this.isMoreToFlush = this.isFlushing;
    if (this.isFlushing) return;
    this.isFlushing = true;
    this.logger.flush(() => {
      this.isFlushing = false;
      if (this.isMoreToFlush) this.flush();
    });
  }
}

export function createLogger(level: string, destination: DestinationStream = standardOutput()): Logger {
  const options = {
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    redact: [...SECRETS, ...SECRETS.map((name) => `*.${name}`)],
  };
  return pino(options, destination);
}

type StandardOutput = ReturnType<typeof pino.destination>;
let opened: StandardOutput | undefined;

/**
 * A write for every line would cost a tenth of a small request: lines go out together, a little later. Warnings and
 * errors take them along at once, and so does the end of the process, unless it is killed. Lines beyond
 * UNREAD_BYTES are dropped while the reader reads nothing.
 */
function standardOutput(): DestinationStream {
  opened ??= pino.destination({
    fd: 1,
    sync: false,
    minLength: WRITTEN_AT_ONCE_BYTES,
    periodicFlush: WRITTEN_WITHIN_MS,
    maxLength: UNREAD_BYTES,
  });
  return opened;
}

/**
 * Writes what is still in memory. Resolves to false if the reader takes nothing within `withinMs`: a write is then stuck
 * in libuv's thread pool, and `process.exit` would wait for it forever.
 */
export async function flushStandardOutput(withinMs: number): Promise<boolean> {
  const destination = opened;
  if (!destination) return true;
  // A reader that has gone is an error for pino, which stops writing; nothing is left to wait for.
  const flushed = new Promise<boolean>((resolve) => destination.flush(() => resolve(true)));
  return Promise.race([flushed, sleep(withinMs, false, { ref: false })]);
}

/**
 * The facts of an error and no more: libraries hang requests with their headers, and statements with their
 * parameters, on the errors that they throw.
 */
function describeError(error: unknown, depth = 0): unknown {
  if (!isNativeError(error)) return { type: typeof error };
  const code =
    'code' in error && (typeof error.code === 'string' || typeof error.code === 'number') ? { code: error.code } : {};
  const cause = error.cause !== undefined && depth < MAX_CAUSES ? { cause: describeError(error.cause, depth + 1) } : {};
  return { type: error.name, message: error.message, ...code, stack: error.stack, ...cause };
}
