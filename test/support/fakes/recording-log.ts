import type { Log, LogFacts } from '../../../src/application/ports/system';

interface LogEntry {
  readonly level: 'info' | 'warn' | 'error';
  readonly facts: LogFacts;
  readonly message: string;
}

/** Keeps what is logged, and prints nothing. */
export class RecordingLog implements Log {
  readonly entries: LogEntry[] = [];

  info(facts: LogFacts, message: string): void {
    this.entries.push({ level: 'info', facts, message });
  }

  warn(facts: LogFacts, message: string): void {
    this.entries.push({ level: 'warn', facts, message });
  }

  error(facts: LogFacts, message: string): void {
    this.entries.push({ level: 'error', facts, message });
  }
}
