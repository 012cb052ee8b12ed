import type { DatabaseLocation } from '../../../persistence/database/database-location';
import type { RegistryContext, RunningRegistry, SettingsContext } from '../../registry-adapter';
import type { Issue } from '../../../../domain/shared/issue';
import { SettingsRejected } from '../../settings-rejected';
import { policyOf, type TldRules } from '../../tld-rules';
import { PRICE_LIST } from './offers/price-list';
import { registryFileFor } from './store/registry-file';
import { SimulatedRegistry } from './simulated-registry';
import { SqlRegistryStore } from './store/sql-registry-store';
import type { TldOffer } from './offers/tld-offer';

/** The registry's name if no registries file is configured. */
const DEFAULT_NAME = 'simulated';

type SimulatedContext = Pick<RegistryContext, 'clock' | 'currency' | 'mainDatabase'> & Partial<RegistryContext>;

/** Without `tlds` it sells every TLD of the built-in price list. @throws SettingsRejected, ConfigurationError */
export async function startSimulated({
  clock,
  currency,
  mainDatabase,
  name = DEFAULT_NAME,
  settings = {},
  tlds,
}: SimulatedContext): Promise<RunningRegistry> {
  const issues = validateSimulatedSettings({ name, settings, mainDatabase, ...(tlds && { tlds }) });
  const location = storeLocation(settings, mainDatabase, name);
  if (issues.length > 0 || !location) throw new SettingsRejected(issues);

  const offers = tlds?.map(offerOf);
  const suffixes = new Set(offers?.map(({ suffix }) => suffix));
  const priceList = offers && [...offers, ...PRICE_LIST.filter(({ suffix }) => !suffixes.has(suffix))];
  const registry = new SimulatedRegistry({
    store: new SqlRegistryStore(location),
    clock,
    currency,
    ...(priceList && { priceList, serves: suffixes }),
  });
  await registry.open();
  return { port: registry, sandbox: registry.sandbox, clock: registry.clock, close: () => registry.close() };
}

export function validateSimulatedSettings({
  name,
  settings,
  tlds = [],
  mainDatabase,
}: Pick<SettingsContext, 'name' | 'settings' | 'mainDatabase'> & Partial<SettingsContext>): Issue[] {
  const issues = [...settingIssues(settings), ...tlds.flatMap((rules) => priceIssues(rules))];
  if (!storeLocation(settings, mainDatabase, name))
    issues.push({
      path: 'file',
      message: 'is missing: a MySQL database holds only the simulated registry with the default name',
    });
  return issues;
}

function settingIssues({ file, ...rest }: Readonly<Record<string, unknown>>): Issue[] {
  const unknown = Object.keys(rest).map((path) => ({ path, message: 'is not a known setting' }));
  return file === undefined || (typeof file === 'string' && file !== '')
    ? unknown
    : [...unknown, { path: 'file', message: 'must be the path of an SQLite file' }];
}

function storeLocation(
  { file }: Readonly<Record<string, unknown>>,
  mainDatabase: DatabaseLocation,
  name: string,
): DatabaseLocation | undefined {
  if (typeof file === 'string') return { kind: 'sqlite', file };
  if (mainDatabase.kind === 'sqlite')
    return { ...mainDatabase, file: registryFileFor(mainDatabase.file, name === DEFAULT_NAME ? undefined : name) };
  return name === DEFAULT_NAME ? mainDatabase : undefined;
}

function builtInOffer({ suffix }: TldRules): TldOffer | undefined {
  return PRICE_LIST.find((candidate) => candidate.suffix === suffix);
}

function priceIssues(rules: TldRules): Issue[] {
  return (rules.price ?? builtInOffer(rules))
    ? []
    : [
        {
          path: `tlds.${rules.suffix}`,
          message: 'needs a price: it is not in the built-in price list',
        },
      ];
}

/** @throws TypeError without a price, which `priceIssues` reports before */
function offerOf(rules: TldRules): TldOffer {
  const builtIn = builtInOffer(rules);
  const prices = rules.price ?? builtIn?.prices;
  if (!prices) throw new TypeError(`.${rules.suffix} has no price`);
  return { ...policyOf(rules, builtIn), prices };
}
