import type { Clock, LifecycleClock, Log } from '../../application/ports/system';
import type { RegistryPort } from '../../application/ports/registry/registry-port';
import type { NameListing, MessageQueue } from '../../application/ports/registry/registries';
import type { RegistrySandbox } from '../../application/ports/registry/registry-sandbox';
import type { DatabaseLocation } from '../persistence/database/database-location';
import type { Issue } from '../../domain/shared/issue';
import type { Money } from '../../domain/shared/money';
import type { DoctorFinding } from './doctor/finding';
import type { TldRules } from './tld-rules';

/** The interface that an adapter implements: commands and queries on domains, the message queue, and the list of names. */
export interface RegistryAdapter extends RegistryPort, MessageQueue, NameListing {}

/** Texts that an adapter stores by key, like ids that a registry assigns. Keys have up to 100 characters, values up to 500. */
export interface StoredValues {
  get(key: string): Promise<string | undefined>;
  put(key: string, value: string): Promise<void>;
  remove(key: string): Promise<void>;
  /** At most `limit` values whose keys start with `prefix`, in the order of their keys. */
  list(prefix: string, limit: number): Promise<readonly string[]>;
}

/** The arguments of a `RegistryFactory`. */
export interface RegistryContext {
  /** The registry's name in the registries file, for logs and messages. */
  readonly name: string;
  /** The adapter's own settings from the registries file, with references to secrets resolved. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The suffixes to serve. `policies()` must list exactly these. */
  readonly tlds: readonly TldRules[];
  /** Base of relative paths in `settings`; the working directory if absent. */
  readonly folder?: string;
  /** Real time. */
  readonly clock: Clock;
  readonly log: Log;
  /** ISO 4217. An adapter whose prices are in another currency throws `SettingsRejected`. */
  readonly currency: string;
  /** The service's database, for an adapter that stores data next to it. */
  readonly mainDatabase: DatabaseLocation;
  /** Values of this registry that must survive a restart. Absent in tests and in `registry doctor`: then nothing is kept. */
  readonly stored?: StoredValues;
  /** Reads a setting that refers to a file again. Undefined if it does not, or if the file cannot be read. */
  readonly readSecret?: ((setting: string) => string | undefined) | undefined;
}

export interface RunningRegistry {
  readonly port: RegistryAdapter;
  /** Only the simulated registry has one. */
  readonly sandbox?: RegistrySandbox;
  /** The registry's time, if it can differ from real time. */
  readonly clock?: LifecycleClock;
  /** For `registry doctor`. */
  readonly diagnostics?: RegistryDiagnostics;
  /** For `registry doctor`, instead of `diagnostics` if the registry is used in sessions: from the address to the login. Does not throw. */
  readonly diagnoseConnection?: (clock: Clock) => Promise<readonly DoctorFinding[]>;
  /** For metrics, if the registry is used in sessions. */
  readonly sessions?: () => SessionStatus;
  /** Takes the share of one of so many processes in the sessions that the registry allows. Called again when processes start or end. */
  readonly shareAmong?: (processes: number) => void;
  /** Changes the password at the registry, for `registry password`. Harmless to repeat. @throws RegistryRejected (nothing changed), RegistryUnavailable (outcome unknown) */
  readonly changePassword?: () => Promise<'changed' | 'already_changed'>;
  /** Deletes at the registry what earlier calls left there. Called every hour, within the limits of commands. */
  readonly cleanUp?: () => Promise<void>;
  close(): Promise<void>;
}

/** Sessions with a registry, and until when the certificates of their connections are valid, as far as known. */
export interface SessionStatus {
  readonly busy: number;
  readonly idle: number;
  readonly serverCertificateUntil?: Date | undefined;
  readonly clientCertificateUntil?: Date | undefined;
  /** When the registry ends our password, if it warned of that at the last login. */
  readonly passwordUntil?: Date | undefined;
}

/** Read-only access to the operator's account at a vendor. */
export interface RegistryDiagnostics {
  /** The vendor's address: `https://api.example.com`. */
  readonly address: string;
  /** Whether the settings are those of the vendor's test system. */
  readonly isSandbox: boolean;
  /** Signs in. @throws as `RegistryPort` */
  account(): Promise<{ readonly user?: string; readonly balance?: Money; readonly serverTime?: Date }>;
}

/** Starts an adapter. The default export of an adapter module. */
export interface RegistryFactory {
  /** Must not connect: a registry that is down must not prevent a start. @throws SettingsRejected */
  (context: RegistryContext): Promise<RunningRegistry>;
  /**
   * Returns all issues of the settings without opening or connecting anything. The service calls it before it opens its
   * database. Optional: the factory validates its settings, too.
   */
  readonly validate?: (context: SettingsContext) => readonly Issue[] | Promise<readonly Issue[]>;
}

/** The arguments of `RegistryFactory.validate`. */
export type SettingsContext = Omit<RegistryContext, 'clock' | 'log' | 'stored' | 'readSecret'>;
