import { isNativeError } from 'node:util/types';
import { pino, type DestinationStream, type Logger } from 'pino';
import type { Log, LogFacts } from '../../application/ports/system/log';

/** Nobody logs these; should somebody do so by mistake, they do not get out. */
const SECRETS = ['authorization', 'token', 'auth_code', 'authCode'];
const MAX_CAUSES = 5;

export class PinoLog implements Log {
  constructor(private readonly logger: Logger) {}

  info(facts: LogFacts, message: string): void {
    this.logger.info(facts, message);
  }

  warn(facts: LogFacts, message: string): void {
    this.logger.warn(facts, message);
  }

  error(facts: LogFacts, message: string): void {
    this.logger.error(facts, message);
  }
}

export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    redact: [...SECRETS, ...SECRETS.map((name) => `*.${name}`)],
  };
  return destination ? pino(options, destination) : pino(options);
}

/**
 * The facts of an error and no more: libraries hang requests with their headers, and statements with their
 * parameters, on the errors that they throw.
 */
function describeError(error: unknown, depth = 0): unknown {
  if (!isNativeError(error)) return { type: typeof error };
  const code = 'code' in error && (typeof error.code === 'string' || typeof error.code === 'number') ? { code: error.code } : {};
  const cause = error.cause !== undefined && depth < MAX_CAUSES ? { cause: describeError(error.cause, depth + 1) } : {};
  return { type: error.name, message: error.message, ...code, stack: error.stack, ...cause };
}
