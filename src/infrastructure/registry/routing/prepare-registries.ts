import { resolve } from 'node:path';
import type { Issue } from '../../../domain/shared/issue';
import type { Config } from '../../../config';
import type { RegistryFactory, SettingsContext } from '../registry-adapter';
import { type RegistryAdapterName, REGISTRY_ADAPTERS } from '../registry-factory';
import { PRICE_LIST } from '../sandbox/simulated/offers/price-list';
import { CURRENCY_ISSUE, PRICE_LIST_CURRENCY } from '../sandbox/simulated/offers/tld-offer';
import { readRegistries, toConfigurationError, type RegistryDefinition } from './read-registries';
import { DEFAULT_LIMITS } from './registry-limits';

export type RegistriesConfig = Pick<Config, 'registriesFile' | 'registry' | 'currency' | 'database'>;

/** A registry whose adapter is loaded. */
export interface PreparedRegistry extends RegistryDefinition {
  readonly factory: RegistryFactory;
}

interface Preparation {
  /** The registries without issues. */
  readonly registries: readonly PreparedRegistry[];
  readonly issues: readonly Issue[];
}

/** Reads the configured registries, loads their adapters and validates their settings. Opens and connects nothing. */
export async function prepareRegistries(
  { registriesFile: file, registry, currency, database: mainDatabase }: RegistriesConfig,
  env: NodeJS.ProcessEnv,
): Promise<Preparation> {
  const { definitions, issues } =
    file === undefined
      ? { definitions: [defaultRegistry(registry)], issues: [] }
      : readRegistries({ file, currency, env });
  const results = await Promise.all(definitions.map((definition) => prepare(definition, { currency, mainDatabase })));
  const fileIssues = toConfigurationError([
    ...issues,
    ...results.flatMap((result) => ('issues' in result ? result.issues : [])),
  ]).issues;
  const isCurrencyWrong = file === undefined && currency !== PRICE_LIST_CURRENCY;
  return {
    registries: results.flatMap((result) => ('prepared' in result ? [result.prepared] : [])),
    issues: [...(isCurrencyWrong ? [CURRENCY_ISSUE] : []), ...fileIssues],
  };
}

async function prepare(
  definition: RegistryDefinition,
  shared: Pick<SettingsContext, 'currency' | 'mainDatabase'>,
): Promise<{ readonly prepared: PreparedRegistry } | { readonly issues: readonly Issue[] }> {
  const { name, adapter, folder, settings, tlds } = definition;
  try {
    const factory = await loadAdapter(adapter, folder);
    const issues = (await factory.validate?.({ name, settings, tlds, folder, ...shared })) ?? [];
    return issues.length === 0
      ? { prepared: { ...definition, factory } }
      : { issues: issues.map((issue) => inRegistriesFile(name, issue)) };
  } catch (error) {
    return { issues: [{ path: `registries.${name}.adapter`, message: `cannot be loaded: ${firstLineOf(error)}` }] };
  }
}

/** An adapter's issue with its path in the registries file. */
export function inRegistriesFile(registry: string, { path, message }: Issue): Issue {
  return { path: `registries.${registry}.settings.${path}`, message };
}

/** The only registry if the operator has no registries file. */
function defaultRegistry(adapter: RegistryAdapterName): RegistryDefinition {
  return {
    name: adapter,
    adapter,
    folder: process.cwd(),
    settings: {},
    tlds: PRICE_LIST.map(({ suffix }) => ({ suffix })),
    limits: DEFAULT_LIMITS,
    accounts: [],
  };
}

function firstLineOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}

/** Loads a built-in adapter, a module by its path relative to `folder`, or an installed npm package. @throws Error if it cannot be loaded */
async function loadAdapter(adapter: string, folder: string): Promise<RegistryFactory> {
  if (Object.hasOwn(REGISTRY_ADAPTERS, adapter)) return REGISTRY_ADAPTERS[adapter as keyof typeof REGISTRY_ADAPTERS];
  const module: unknown = await import(/^\.{0,2}\//.test(adapter) ? resolve(folder, adapter) : adapter);
  const factory = findFactory(module);
  if (!factory) throw new TypeError('the module has no default export that is a function');
  return factory;
}

/** `import()` of a CommonJS module nests its `exports.default` one level deeper than an ES module's default export. */
function findFactory(module: unknown, depth = 2): RegistryFactory | undefined {
  if (typeof module === 'function') return module as RegistryFactory;
  return depth > 0 && typeof module === 'object' && module !== null && 'default' in module
    ? findFactory(module.default, depth - 1)
    : undefined;
}
