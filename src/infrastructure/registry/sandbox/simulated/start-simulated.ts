import type { DatabaseLocation } from '../../../persistence/database/data-source';
import type { RegistryContext, RunningRegistry, SettingsContext } from '../../registry-adapter';
import { SettingsRejected, type SettingsFault } from '../../settings-rejected';
import { policyOf, type TldRules } from '../../tld-rules';
import { fileBeside } from './file-beside';
import { PRICE_LIST } from './price-list';
import { SimulatedRegistry } from './simulated-registry';
import { SqlRegistryStore } from './sql-registry-store';
import type { TldOffer } from './tld-offer';

/** The name under which it serves where the operator names no registries. */
const DEFAULT_NAME = 'simulated';

type SimulatedContext = Pick<RegistryContext, 'clock' | 'currency' | 'beside'> & Partial<RegistryContext>;

/** Everything that the price list has is for sale where no TLDs are named. @throws SettingsRejected, ConfigurationError */
export async function startSimulated({
  clock,
  currency,
  beside,
  name = DEFAULT_NAME,
  settings = {},
  tlds,
}: SimulatedContext): Promise<RunningRegistry> {
  const faults = simulatedFaults({ name, settings, beside, ...(tlds && { tlds }) });
  const location = storeLocation(settings, beside, name);
  if (faults.length > 0 || !location) throw new SettingsRejected(faults);

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
  return { port: registry, sandbox: registry, clock: registry.clock, close: () => registry.close() };
}

/** What is wrong with the settings of a simulated registry. */
export function simulatedFaults({
  name,
  settings,
  tlds = [],
  beside,
}: Pick<SettingsContext, 'name' | 'settings' | 'beside'> & Partial<SettingsContext>): SettingsFault[] {
  const faults = [...settingFaults(settings), ...tlds.flatMap((rules) => priceFaults(rules))];
  if (!storeLocation(settings, beside, name))
    faults.push({
      setting: 'file',
      problem: 'is missing: beside a MySQL database there is room for one simulated registry only',
    });
  return faults;
}

function settingFaults({ file, ...rest }: Readonly<Record<string, unknown>>): SettingsFault[] {
  const unknown = Object.keys(rest).map((setting) => ({ setting, problem: 'is not known' }));
  return file === undefined || (typeof file === 'string' && file !== '')
    ? unknown
    : [...unknown, { setting: 'file', problem: 'must be the path of an SQLite file' }];
}

function storeLocation(
  { file }: Readonly<Record<string, unknown>>,
  beside: DatabaseLocation,
  name: string,
): DatabaseLocation | undefined {
  if (typeof file === 'string') return { kind: 'sqlite', file };
  if (beside.kind === 'sqlite')
    return { ...beside, file: fileBeside(beside.file, name === DEFAULT_NAME ? undefined : name) };
  return name === DEFAULT_NAME ? beside : undefined;
}

function listed({ suffix }: TldRules): TldOffer | undefined {
  return PRICE_LIST.find((candidate) => candidate.suffix === suffix);
}

function priceFaults(rules: TldRules): SettingsFault[] {
  return (rules.price ?? listed(rules))
    ? []
    : [
        {
          setting: `tlds.${rules.suffix}`,
          problem: 'needs a price: the simulated registry has none of its own for it',
        },
      ];
}

/** @throws TypeError where there is no price: `priceFaults` says so before */
function offerOf(rules: TldRules): TldOffer {
  const known = listed(rules);
  const prices = rules.price ?? known?.prices;
  if (!prices) throw new TypeError(`.${rules.suffix} has no price`);
  return { ...policyOf(rules, known), prices };
}
