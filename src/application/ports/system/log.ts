import { token } from '../inject';

/** Structured logging. Never log secrets, auth codes, tokens or contacts. ERROR means that a person must act. */
export interface Log {
  info(facts: LogFacts, message: string): void;
  warn(facts: LogFacts, message: string): void;
  error(facts: LogFacts, message: string): void;
}
export const Log = token<Log>('Log');

export type LogFacts = Readonly<Record<string, unknown>>;
