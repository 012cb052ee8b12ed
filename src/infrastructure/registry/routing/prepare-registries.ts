import type { Issue } from '../../../domain/shared/issue';
import type { Config } from '../../../config';
import type { RegistryFactory, SettingsContext } from '../registry-adapter';
import type { RegistryAdapterName } from '../registry-factory';
import { PRICE_LIST } from '../sandbox/simulated/price-list';
import { CURRENCY_ISSUE, PRICE_LIST_CURRENCY } from '../sandbox/simulated/tld-offer';
import { adapterNamed } from './adapter-named';
import { readRegistries, registriesInvalid, type RegistryDefinition } from './read-registries';
import { DEFAULT_LIMITS } from './registry-limits';

export type RegistriesConfig = Pick<Config, 'registriesFile' | 'registry' | 'currency' | 'database'>;

/** A registry whose adapter is loaded. */
export interface PreparedRegistry extends RegistryDefinition {
  readonly factory: RegistryFactory;
}

export interface Preparation {
  /** Those that have no issue. */
  readonly registries: readonly PreparedRegistry[];
  readonly issues: readonly Issue[];
}

/** Reads which registries there are to be, loads their adapters and judges their settings; opens nothing, and connects to nobody. */
export async function prepareRegistries(
  { registriesFile: file, registry, currency, database: beside }: RegistriesConfig,
  env: NodeJS.ProcessEnv,
): Promise<Preparation> {
  const { definitions, issues } =
    file === undefined
      ? { definitions: [soleRegistry(registry)], issues: [] }
      : readRegistries({ file, currency, env });
  const preparing = await Promise.all(definitions.map((definition) => prepare(definition, { currency, beside })));
  const ofFile = registriesInvalid([...issues, ...preparing.flatMap((each) => ('issues' in each ? each.issues : []))]);
  const isCurrencyWrong = file === undefined && currency !== PRICE_LIST_CURRENCY;
  return {
    registries: preparing.flatMap((each) => ('prepared' in each ? [each.prepared] : [])),
    issues: [...(isCurrencyWrong ? [CURRENCY_ISSUE] : []), ...ofFile.issues],
  };
}

async function prepare(
  definition: RegistryDefinition,
  shared: Pick<SettingsContext, 'currency' | 'beside'>,
): Promise<{ readonly prepared: PreparedRegistry } | { readonly issues: readonly Issue[] }> {
  const { name, adapter, folder, settings, tlds } = definition;
  try {
    const factory = await adapterNamed(adapter, folder);
    const issues = factory.issues?.({ name, settings, tlds, ...shared }) ?? [];
    return issues.length === 0
      ? { prepared: { ...definition, factory } }
      : { issues: issues.map((issue) => settingIssue(name, issue)) };
  } catch (error) {
    return { issues: [{ path: `registries.${name}.adapter`, message: `cannot be loaded: ${firstLineOf(error)}` }] };
  }
}

/** Where in the file of registries a setting is. */
export function settingIssue(registry: string, { path, message }: Issue): Issue {
  return { path: `registries.${registry}.settings.${path}`, message };
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
