import type { Config, ConfigurationFault } from '../../../config';
import type { RegistryFactory, SettingsContext } from '../registry-adapter';
import type { RegistryAdapterName } from '../registry-factory';
import type { SettingsFault } from '../settings-rejected';
import { PRICE_LIST } from '../sandbox/simulated/price-list';
import { adapterNamed } from './adapter-named';
import { readRegistries, registriesFaulty, type RegistryDefinition } from './read-registries';
import { DEFAULT_LIMITS } from './registry-limits';
import type { FileFault } from './written-file';

export type RegistriesConfig = Pick<Config, 'registriesFile' | 'registry' | 'currency' | 'database'>;

/** A registry whose adapter is loaded. */
export interface PreparedRegistry extends RegistryDefinition {
  readonly factory: RegistryFactory;
}

export interface Preparation {
  /** Those that have no fault. */
  readonly registries: readonly PreparedRegistry[];
  readonly faults: readonly ConfigurationFault[];
}

/** Reads which registries there are to be, loads their adapters and judges their settings; opens nothing, and connects to nobody. */
export async function prepareRegistries(
  { registriesFile: file, registry, currency, database: beside }: RegistriesConfig,
  env: NodeJS.ProcessEnv,
): Promise<Preparation> {
  const { definitions, faults } =
    file === undefined
      ? { definitions: [soleRegistry(registry)], faults: [] }
      : readRegistries({ file, currency, env });
  const preparing = await Promise.all(definitions.map((definition) => prepare(definition, { currency, beside })));
  return {
    registries: preparing.flatMap((each) => ('prepared' in each ? [each.prepared] : [])),
    faults: registriesFaulty([...faults, ...preparing.flatMap((each) => ('faults' in each ? each.faults : []))]).faults,
  };
}

async function prepare(
  definition: RegistryDefinition,
  shared: Pick<SettingsContext, 'currency' | 'beside'>,
): Promise<{ readonly prepared: PreparedRegistry } | { readonly faults: readonly FileFault[] }> {
  const { name, adapter, folder, settings, tlds } = definition;
  try {
    const factory = await adapterNamed(adapter, folder);
    const faults = factory.faults?.({ name, settings, tlds, ...shared }) ?? [];
    return faults.length === 0
      ? { prepared: { ...definition, factory } }
      : { faults: faults.map((fault) => settingFault(name, fault)) };
  } catch (error) {
    return { faults: [{ path: `registries.${name}.adapter`, problem: `cannot be loaded: ${firstLineOf(error)}` }] };
  }
}

/** Where in the file of registries a setting is. */
export function settingFault(registry: string, { setting, problem }: SettingsFault): FileFault {
  return { path: `registries.${registry}.settings.${setting}`, problem };
}

/** What serves where the operator has no file of registries. */
function soleRegistry(adapter: RegistryAdapterName): RegistryDefinition {
  return {
    name: adapter,
    adapter,
    folder: process.cwd(),
    settings: {},
    tlds: PRICE_LIST.map(({ suffix }) => ({ suffix })),
    limits: DEFAULT_LIMITS,
  };
}

function firstLineOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
