import type {
  AccountRegistries,
  NameListings,
  RegistryDirectory,
  MessageQueues,
} from '../../../application/ports/registry/registries';
import type { RegistryPort } from '../../../application/ports/registry/registry-port';
import { ConfigurationError } from '../../../config';
import type { TldPolicy } from '../../../domain/registration/names/tld-policy';
import type { RegistryContext, RunningRegistry, SessionStatus, StoredValues } from '../registry-adapter';
import type { Issue } from '../../../domain/shared/issue';
import type { SettingsRejected } from '../settings-rejected';
import { inRegistriesFile, type PreparedRegistry } from './prepare-registries';
import { toConfigurationError, type RegistryDefinition } from './read-registries';
import { RegistryGuard, type GuardStatus, type SharedCalls } from './registry-guard';
import { RegistryRouter } from './registry-router';
import type { RegistrySandbox } from '../../../application/ports/registry/registry-sandbox';

const CLEAN_UP_EVERY_MS = 3_600_000;

/** `sandbox` and `clock` are present only if one registry serves alone: real names must not be renewed on a moved clock. */
export interface RunningRegistries extends Omit<RunningRegistry, 'port' | 'shareAmong' | 'cleanUp'> {
  readonly port: RegistryPort;
  readonly accounts: AccountRegistries;
  readonly directory: RegistryDirectory;
  readonly queues: MessageQueues;
  readonly listings: NameListings;
  readonly statuses: () => readonly RegistryStatus[];
  /** Takes the share of one of so many processes in what registries allow. As long as their number is unknown, no session is opened. */
  readonly shareAmong: (processes: number | undefined) => void;
}

export interface RegistryStatus extends GuardStatus {
  readonly registry: string;
  readonly sessions: SessionStatus | undefined;
}

type SharedContext = Pick<RegistryContext, 'clock' | 'log' | 'currency' | 'mainDatabase'> & {
  /** The stored values of a registry, by its name. */
  readonly storedFor?: (registry: string) => StoredValues;
};

/** Starts every registry behind one router. If one fails, closes all. @throws ConfigurationError with the issues of all */
export async function openRegistries(
  prepared: readonly PreparedRegistry[],
  context: SharedContext,
  sharedCalls: (registry: string) => SharedCalls = () => ({}),
): Promise<RunningRegistries> {
  for (const { name, openSecretFiles: files } of prepared)
    if (files)
      context.log.warn({ registry: name, files }, 'files with secrets are readable by other users (chmod 600)');
  const started = await Promise.allSettled(
    prepared.map(async (registry) => ({ ...registry, running: await start(registry, context) })),
  );
  const registries = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failures = started.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []));
  let cleaning: NodeJS.Timeout | undefined;
  const close = async () => {
    clearInterval(cleaning);
    await Promise.all(registries.map(({ running }) => running.close()));
  };
  const issues = [...toConfigurationError(registries.flatMap(tldIssues)).issues, ...failures.flatMap(issuesOf)];
  if (issues.length > 0 || failures.length > 0) {
    await close();
    const unexpected = failures.find((failure) => !(failure instanceof ConfigurationError));
    throw unexpected instanceof Error ? unexpected : new ConfigurationError(issues);
  }
  const routes = registries.map(({ name, accounts, limits, running }) => ({
    registry: name,
    accounts,
    running,
    port: running.port,
    guard: new RegistryGuard(name, limits, context.log, sharedCalls(name)),
  }));
  cleaning = setInterval(() => {
    for (const {
      registry,
      guard,
      running: { cleanUp },
    } of routes)
      if (cleanUp)
        guard.command(cleanUp).catch((err: unknown) => {
          context.log.warn({ err, registry }, 'what earlier calls left at the registry could not be deleted');
        });
  }, CLEAN_UP_EVERY_MS).unref();
  const router = new RegistryRouter(routes);
  const [sole, ...others] = routes;
  return {
    port: router,
    accounts: router,
    directory: router,
    queues: router,
    listings: router,
    statuses: () =>
      routes.map(({ registry, guard, running }) => ({ registry, ...guard.status(), sessions: running.sessions?.() })),
    shareAmong: (processes) => {
      for (const { guard, running } of routes) {
        if (processes !== undefined) {
          running.shareAmong?.(processes);
          guard.shareAmong(processes);
        } else if (running.shareAmong) guard.hold();
      }
    },
    close,
    ...(sole && others.length === 0 && sandboxOf(sole)),
  };
}

function sandboxOf({
  running: { sandbox, clock },
  guard,
}: {
  readonly running: RunningRegistry;
  readonly guard: RegistryGuard;
}): Pick<RunningRegistry, 'sandbox' | 'clock'> {
  return { ...(sandbox && { sandbox: guardedSandbox(sandbox, guard) }), ...(clock && { clock }) };
}

/** An adapter that serves other TLDs than its own would take them from another registry. */
function tldIssues({ name, tlds, running }: RegistryDefinition & { readonly running: RunningRegistry }): Issue[] {
  const served = running.port.policies().map(({ suffix }) => suffix);
  const configured = tlds.map(({ suffix }) => suffix);
  const differs = served.length !== configured.length || served.some((suffix) => !configured.includes(suffix));
  if (differs)
    return [
      { path: `registries.${name}.tlds`, message: `must be the TLDs that the adapter serves: ${served.join(', ')}` },
    ];
  return running.port.policies().some((policy) => ignoresReadLag(policy, tlds)) ? [readLagIssue(name)] : [];
}

/** An adapter that ignores it would let commands be repeated sooner or later than the operator wrote. */
function ignoresReadLag({ suffix, readLagSeconds }: TldPolicy, tlds: RegistryDefinition['tlds']): boolean {
  const configured = tlds.find((rules) => rules.suffix === suffix)?.readLagSeconds;
  return configured !== undefined && configured !== readLagSeconds;
}

function readLagIssue(name: string): Issue {
  return { path: `registries.${name}.read_lag_seconds`, message: 'must be absent: the adapter does not take it' };
}

async function start(
  { name, factory, settings, tlds, folder, readSecret }: PreparedRegistry,
  { storedFor, ...context }: SharedContext,
): Promise<RunningRegistry> {
  try {
    const stored = storedFor && { stored: storedFor(name) };
    return await factory({ name, settings, tlds, folder, readSecret, ...context, ...stored });
  } catch (error) {
    if (isSettingsRejected(error))
      throw toConfigurationError(error.issues.map((issue) => inRegistriesFile(name, issue)));
    throw error;
  }
}

/** By name: an adapter package may bring its own copy of the class. */
function isSettingsRejected(error: unknown): error is SettingsRejected {
  return error instanceof Error && error.name === 'SettingsRejected' && 'issues' in error;
}

function issuesOf(failure: unknown): readonly Issue[] {
  return failure instanceof ConfigurationError ? failure.issues : [];
}

/** The sandbox of a guarded registry. Clearing the faults also closes the circuit breaker, so the next call is sent at once. */
function guardedSandbox(sandbox: RegistrySandbox, guard: RegistryGuard): RegistrySandbox {
  return {
    time: async () => sandbox.time(),
    advance: async (days) => sandbox.advance(days),
    injectFault: async (fault) => sandbox.injectFault(fault),
    faults: async () => sandbox.faults(),
    clearFaults: async () => {
      await sandbox.clearFaults();
      guard.closeBreaker();
    },
    registerElsewhere: async (name, options) => sandbox.registerElsewhere(name, options),
    transferOut: async (name, authCode) => sandbox.transferOut(name, authCode),
    decideElsewhere: async (name, decision) => sandbox.decideElsewhere(name, decision),
    ledger: async (name) => sandbox.ledger(name),
  };
}
