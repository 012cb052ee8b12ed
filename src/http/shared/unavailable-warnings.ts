import type { Log } from '../../application/ports/system';

const EVERY_MS = 60_000;

interface Window {
  readonly since: number;
  /** Requests since the last line. */
  requests: number;
}

/** By log and cause; the causes are few. */
const windows = new WeakMap<Log, Map<string, Window>>();

/** Logs that requests get 503 because of the database: the first at once, the others of a minute in one line. */
export function warnOfUnavailability(log: Log, cause: unknown, path: string, now = performance.now()): void {
  const reason = cause instanceof Error ? cause.message : 'the database does not respond';
  const ofLog = windows.get(log) ?? new Map<string, Window>();
  windows.set(log, ofLog);
  const current = ofLog.get(reason);
  if (current && now - current.since < EVERY_MS) {
    current.requests += 1;
    return;
  }
  ofLog.set(reason, { since: now, requests: 0 });
  log.warn({ reason, path, requests: (current?.requests ?? 0) + 1 }, 'requests get 503: the database is slow or away');
}
