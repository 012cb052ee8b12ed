import { token } from './inject';

/** Real time: sessions, keys, leases, logs. */
export interface Clock {
  now(): Date;
  /** No clock has it: it tells the compiler which clock a parameter takes. */
  readonly shows?: 'real time';
}
export const Clock = token<Clock>('Clock');

/** The time for the domain lifecycle: real time, unless the sandbox has moved it ahead. */
export interface LifecycleClock {
  now(): Date;
  readonly shows?: 'lifecycle time';
}
export const LifecycleClock = token<LifecycleClock>('LifecycleClock');

export type IdPrefix =
  | 'acc'
  | 'dom'
  | 'rec'
  | 'op'
  | 'usr'
  | 'per'
  | 'evt'
  | 'ses'
  | 'tr'
  | 'tru'
  | 'imp'
  | 'zk'
  | 'tpl'
  | 'blk'
  | 'mail'
  | 'whk'
  | 'dlv'
  | 'prop'
  | 'move'
  | 'svc';

export interface IdGenerator {
  /** A new unique id such as `dom_01k…`; ids of one process ascend. */
  next(prefix: IdPrefix): string;
}
export const IdGenerator = token<IdGenerator>('IdGenerator');

/** Encrypts secrets that must be read back in clear, such as TSIG secrets, before they are stored. */
export interface SecretBox {
  /**
   * Encrypts `text` for one `purpose` such as `tsig:key-1`, so that a secret cannot be moved to another row. Not
   * deterministic.
   */
  seal(text: string, purpose: string): string;
  /** Decrypts. @throws SealBroken for a different purpose or key, or a changed text */
  open(sealed: string, purpose: string): string;
}
export const SecretBox = token<SecretBox>('SecretBox');

/** The text cannot be decrypted, most likely because SECRET_KEY was changed. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/** Structured logging. Never log secrets, auth codes, tokens or contacts. ERROR means that a person must act. */
export interface Log {
  info(facts: LogFacts, message: string): void;
  warn(facts: LogFacts, message: string): void;
  error(facts: LogFacts, message: string): void;
}
export const Log = token<Log>('Log');

export type LogFacts = Readonly<Record<string, unknown>>;
