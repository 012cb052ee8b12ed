import { setTimeout as sleep } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import { pino, type DestinationStream, type Logger } from 'pino';
import type { Log, LogFacts } from '../../application/ports/system';
import { RepeatedLines } from './repeated-lines';

/** Redacted as a safeguard; code must not log them. */
const SECRETS = ['authorization', 'token', 'auth_code', 'authCode'];
const MAX_CAUSES = 5;
const BUFFER_BYTES = 8_192;
const FLUSH_INTERVAL_MS = 100;
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

export class PinoLog implements Log {
  private isFlushing = false;
  private isFlushPending = false;
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

  /** Writes the first of identical errors at once, and its repetitions within a minute as one line with `repeated`. */
  error(facts: LogFacts, message: string): void {
    if (this.repetitions.isFirst({ facts, message })) this.write(facts, message);
  }

  /** Writes the pending repetitions. */
  writeRepeated(): void {
    this.repetitions.end();
  }

  private write(facts: LogFacts, message: string): void {
    this.logger.error(facts, message);
    this.flush();
  }

  /** One flush at a time: each adds listeners to the stream and ends in an fsync, and warnings often come in bursts. */
  private flush(): void {
    this.isFlushPending = this.isFlushing;
    if (this.isFlushing) return;
    this.isFlushing = true;
    this.logger.flush(() => {
      this.isFlushing = false;
      if (this.isFlushPending) this.flush();
    });
  }
}

const NOWHERE: DestinationStream = { write: () => undefined };

/** A silent one does not open standard output, whose timer would keep what has created it in memory. */
export function createLogger(level: string, destination = level === 'silent' ? NOWHERE : standardOutput()): Logger {
  const options = {
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    redact: [...SECRETS, ...SECRETS.map((name) => `*.${name}`)],
  };
  return pino(options, destination);
}

type StandardOutput = ReturnType<typeof pino.destination>;
let stdout: StandardOutput | undefined;

/**
 * Buffers lines, because a write per line would cost a tenth of a small request. Warnings, errors and the exit flush the
 * buffer. Drops lines beyond MAX_UNREAD_BYTES if the reader stalls.
 */
function standardOutput(): DestinationStream {
  stdout ??= pino.destination({
    fd: 1,
    sync: false,
    minLength: BUFFER_BYTES,
    periodicFlush: FLUSH_INTERVAL_MS,
    maxLength: MAX_UNREAD_BYTES,
  });
  return stdout;
}

/**
 * Writes the buffered lines. Resolves to false after `timeoutMs` if the reader stalls: a write is then stuck in libuv's
 * thread pool, and `process.exit` would wait for it forever.
 */
export async function flushStandardOutput(timeoutMs: number): Promise<boolean> {
  const destination = stdout;
  if (!destination) return true;
  // If the reader has closed the pipe, pino reports an error and stops writing.
  const flushed = new Promise<boolean>((resolve) => destination.flush(() => resolve(true)));
  return Promise.race([flushed, sleep(timeoutMs, false, { ref: false })]);
}

/** Selects the fields to log: libraries attach headers and SQL parameters to their errors. */
function describeError(error: unknown, depth = 0): unknown {
  if (!isNativeError(error)) return { type: typeof error };
  const code =
    'code' in error && (typeof error.code === 'string' || typeof error.code === 'number') ? { code: error.code } : {};
  const cause = error.cause !== undefined && depth < MAX_CAUSES ? { cause: describeError(error.cause, depth + 1) } : {};
  return { type: error.name, message: error.message, ...code, stack: error.stack, ...cause };
}
