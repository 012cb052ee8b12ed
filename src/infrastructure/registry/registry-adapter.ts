import type { Clock } from '../../application/ports/system/clock';
import type { Log } from '../../application/ports/system/log';
import type { RegistryPort } from '../../application/ports/registry/registry-port';
import type { MessageQueue } from '../../application/ports/registry/registry-queues';
import type { RegistrySandbox } from '../../application/ports/registry/registry-sandbox';
import type { DatabaseLocation } from '../persistence/database/data-source';
import type { Issue } from '../../domain/shared/issue';
import type { TldRules } from './tld-rules';

/** What an adapter implements: a registry's names, and its messages. */
export interface RegistryAdapter extends RegistryPort, MessageQueue {}

/** What an adapter is given to start with. */
export interface RegistryContext {
  /** The registry's name in the operator's file, for logs and messages. */
  readonly name: string;
  /** The adapter's own settings as the operator wrote them, references to secrets replaced by what they refer to. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The suffixes that this registry is to serve: `policies()` lists these and no others. */
  readonly tlds: readonly TldRules[];
  /** Real time. */
  readonly clock: Clock;
  readonly log: Log;
  /** ISO 4217; an adapter whose prices are in another refuses to start. */
  readonly currency: string;
  /** The service's own database, for an adapter that keeps a store of its own beside it. */
  readonly beside: DatabaseLocation;
}

export interface RunningRegistry {
  readonly port: RegistryAdapter;
  /** Only a simulated registry has one. */
  readonly sandbox?: RegistrySandbox;
  /** The time in which this registry's names live, where it can differ from real time. */
  readonly clock?: Clock;
  close(): Promise<void>;
}

/** Starts an adapter; what a module that is named as `adapter` exports by default. */
export interface RegistryFactory {
  /** A registry that cannot be reached is no reason to fail: connect when first asked. @throws SettingsRejected */
  (context: RegistryContext): Promise<RunningRegistry>;
  /**
   * Everything that is wrong with the settings, found without opening or connecting anything: an operator is told of it
   * together with all other issues, before the database is opened. Without it the start alone judges them.
   */
  readonly issues?: (context: SettingsContext) => readonly Issue[];
}

/** What settings can be judged by. */
export type SettingsContext = Omit<RegistryContext, 'clock' | 'log'>;
