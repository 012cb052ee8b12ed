import type { RegistryAdapter } from '../../../src/infrastructure/registry/registry-adapter';
import { DomainName } from '../../../src/domain/shared/domain-name';
import { RegistrationTerm } from '../../../src/domain/registration/registration-term';
import { RegistryGuard } from '../../../src/infrastructure/registry/routing/registry-guard';
import { DEFAULT_LIMITS, type RegistryLimits } from '../../../src/infrastructure/registry/routing/registry-limits';
import { RegistryRouter } from '../../../src/infrastructure/registry/routing/registry-router';
import { MovableClock } from '../fakes/movable-clock';
import { RecordingLog } from '../fakes/recording-log';
import { ScriptedRegistry } from '../fakes/scripted-registry';
import { SOME_TLDS } from '../data/some-tlds';

const CLOCK = new MovableClock();

export function scripted(...suffixes: string[]): ScriptedRegistry {
  return new ScriptedRegistry(
    CLOCK,
    SOME_TLDS.filter(({ suffix }) => suffixes.includes(suffix)),
  );
}

export function routerTo(
  registries: Record<string, RegistryAdapter>,
  limits: Partial<RegistryLimits> = {},
  log = new RecordingLog(),
): RegistryRouter {
  return new RegistryRouter(
    Object.entries(registries).map(([registry, port]) => ({
      registry,
      port,
      guard: new RegistryGuard(registry, { ...DEFAULT_LIMITS, ...limits }, log),
    })),
  );
}

export const name = (text: string) => DomainName.parse(text);
export const years = (count: number) => RegistrationTerm.ofYears(count);
