import type { RegistryLanes } from '../../../application/ports/registry/registry-lanes';
import type { RegistryPort } from '../../../application/ports/registry/registry-port';
import type { RegistryShares } from '../../../application/ports/registry/registry-shares';
import type { RegistryQueues } from '../../../application/ports/registry/registry-queues';
import { ConfigurationError } from '../../../config';
import type { Issue } from '../../../domain/shared/issue';
import type { RegistryContext, RunningRegistry } from '../registry-adapter';
import type { SettingsRejected } from '../settings-rejected';
import { guardedSandbox } from './guarded-sandbox';
import { settingIssue, type PreparedRegistry } from './prepare-registries';
import { registriesInvalid, type RegistryDefinition } from './read-registries';
import { RegistryGuard } from './registry-guard';
import { RegistryRouter } from './registry-router';

/** A sandbox, and a clock that can be moved, only where nothing else is served: no real name is to be renewed before its time. */
export interface RunningRegistries extends Omit<RunningRegistry, 'port'> {
  readonly port: RegistryPort;
  readonly shares: RegistryShares;
  readonly lanes: RegistryLanes;
  readonly queues: RegistryQueues;
}

type OpenTools = Pick<RegistryContext, 'clock' | 'log' | 'currency' | 'beside'>;

/** Starts every registry and puts the router before them. @throws ConfigurationError with the issues of all, and then none is left running */
export async function openRegistries(
  prepared: readonly PreparedRegistry[],
  tools: OpenTools,
): Promise<RunningRegistries> {
  const started = await Promise.allSettled(
    prepared.map(async (registry) => ({ ...registry, running: await start(registry, tools) })),
  );
  const registries = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failures = started.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []));
  const close = async () => {
    await Promise.all(registries.map(({ running }) => running.close()));
  };
  const amiss = [...registriesInvalid(registries.flatMap(servedIssues)).issues, ...failures.flatMap(issuesOf)];
  if (amiss.length > 0 || failures.length > 0) {
    await close();
    const surprise = failures.find((failure) => !(failure instanceof ConfigurationError));
    throw surprise instanceof Error ? surprise : new ConfigurationError(amiss);
  }
  const routes = registries.map(({ name, limits, running }) => ({
    registry: name,
    running,
    port: running.port,
    guard: new RegistryGuard(name, limits, tools.log),
  }));
  const router = new RegistryRouter(routes);
  const [sole, ...others] = routes;
  return {
    port: router,
    shares: router,
    lanes: router,
    queues: router,
    close,
    ...(sole && others.length === 0 && timeOf(sole)),
  };
}

function timeOf({
  running: { sandbox, clock },
  guard,
}: {
  readonly running: RunningRegistry;
  readonly guard: RegistryGuard;
}): Pick<RunningRegistry, 'sandbox' | 'clock'> {
  return { ...(sandbox && { sandbox: guardedSandbox(sandbox, guard) }), ...(clock && { clock }) };
}

/** An adapter that serves other TLDs than those it was given would take them from somebody else. */
function servedIssues({ name, tlds, running }: RegistryDefinition & { readonly running: RunningRegistry }): Issue[] {
  const served = running.port.policies().map(({ suffix }) => suffix);
  const given = tlds.map(({ suffix }) => suffix);
  const differs = served.length !== given.length || served.some((suffix) => !given.includes(suffix));
  return differs
    ? [{ path: `registries.${name}.tlds`, message: `must be what the adapter serves: ${served.join(', ')}` }]
    : [];
}

async function start({ name, factory, settings, tlds }: PreparedRegistry, tools: OpenTools): Promise<RunningRegistry> {
  try {
    return await factory({ name, settings, tlds, ...tools });
  } catch (error) {
    if (isSettingsRejected(error)) throw registriesInvalid(error.issues.map((issue) => settingIssue(name, issue)));
    throw error;
  }
}

/** By its name: an adapter of a stranger's may bring its own copy of the class. */
function isSettingsRejected(error: unknown): error is SettingsRejected {
  return error instanceof Error && error.name === 'SettingsRejected' && 'issues' in error;
}

function issuesOf(failure: unknown): readonly Issue[] {
  return failure instanceof ConfigurationError ? failure.issues : [];
}
