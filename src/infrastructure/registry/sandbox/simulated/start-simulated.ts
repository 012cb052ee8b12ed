import type { DatabaseLocation } from '../../../persistence/database/data-source';
import type { RegistryContext, RunningRegistry, SettingsContext } from '../../registry-adapter';
import type { Issue } from '../../../../domain/shared/issue';
import { SettingsRejected } from '../../settings-rejected';
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
  const issues = simulatedIssues({ name, settings, beside, ...(tlds && { tlds }) });
  const location = storeLocation(settings, beside, name);
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
  return { port: registry, sandbox: registry, clock: registry.clock, close: () => registry.close() };
}

/** What is wrong with the settings of a simulated registry. */
export function simulatedIssues({
  name,
  settings,
  tlds = [],
  beside,
}: Pick<SettingsContext, 'name' | 'settings' | 'beside'> & Partial<SettingsContext>): Issue[] {
  const issues = [...settingIssues(settings), ...tlds.flatMap((rules) => priceIssues(rules))];
  if (!storeLocation(settings, beside, name))
    issues.push({
      path: 'file',
      message: 'is missing: beside a MySQL database there is room for one simulated registry only',
    });
  return issues;
}

function settingIssues({ file, ...rest }: Readonly<Record<string, unknown>>): Issue[] {
  const unknown = Object.keys(rest).map((path) => ({ path, message: 'is not known' }));
  return file === undefined || (typeof file === 'string' && file !== '')
    ? unknown
    : [...unknown, { path: 'file', message: 'must be the path of an SQLite file' }];
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

function priceIssues(rules: TldRules): Issue[] {
  return (rules.price ?? listed(rules))
    ? []
    : [
        {
          path: `tlds.${rules.suffix}`,
          message: 'needs a price: the simulated registry has none of its own for it',
        },
      ];
}

/** @throws TypeError where there is no price: `priceIssues` says so before */
function offerOf(rules: TldRules): TldOffer {
  const known = listed(rules);
  const prices = rules.price ?? known?.prices;
  if (!prices) throw new TypeError(`.${rules.suffix} has no price`);
  return { ...policyOf(rules, known), prices };
}
