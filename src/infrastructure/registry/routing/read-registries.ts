import { dirname, resolve } from 'node:path';
import { ConfigurationError } from '../../../config';
import type { Money } from '../../../domain/shared/money';
import { moneyOf } from '../epp/mapping/amounts';
import type { RegistryContext } from '../registry-adapter';
import type { PriceList } from '../price-list';
import { policyOf, type TldRules } from '../tld-rules';
import {
  PRICES_SCHEMA,
  REGISTRIES_SCHEMA,
  REGISTRY_SCHEMA,
  type WrittenPrice,
  type WrittenPrices,
  type WrittenRegistries,
  type WrittenRegistry,
  type WrittenRules,
} from './registries-schema';
import { DEFAULT_LIMITS, type RegistryLimits } from './registry-limits';
import { readSecretFile, resolveSecrets } from '../../settings/secret-references';
import { readYaml, validateSchema } from '../../settings/yaml-file';
import type { Issue } from '../../../domain/shared/issue';

/** One registry of the registries file. */
export interface RegistryDefinition {
  readonly name: string;
  /** A key of `REGISTRY_ADAPTERS`, an npm package, or the path of a module. */
  readonly adapter: string;
  /** Base of a relative module path. */
  readonly folder: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** See `RegistryContext`. */
  readonly readSecret?: RegistryContext['readSecret'];
  /** Files of secrets that others than their owner may read. */
  readonly openSecretFiles?: readonly string[];
  readonly tlds: readonly TldRules[];
  readonly limits: RegistryLimits;
  /** Ids of the accounts that may import names. */
  readonly accounts: readonly string[];
}

interface RegistriesSource {
  readonly file: string;
  readonly currency: string;
  readonly env: NodeJS.ProcessEnv;
}

interface RegistriesResult {
  /** The registries without issues. */
  readonly definitions: readonly RegistryDefinition[];
  readonly issues: readonly Issue[];
}

const NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** Reads the registries file, and the price files and secrets that it refers to. Starts nothing. */
export function readRegistries({ file, currency, env }: RegistriesSource): RegistriesResult {
  const source = readYaml<WrittenRegistries>(file, REGISTRIES_SCHEMA);
  if ('issues' in source) return { definitions: [], issues: source.issues };
  const folder = dirname(resolve(file));
  const claims = new Map<string, string>();
  const results = Object.entries(source.value.registries).map(([name, value]): RegistriesResult => {
    const issues: Issue[] = NAME.test(name)
      ? []
      : [
          {
            path: `registries.${name}`,
            message: 'must be a name of up to 32 lower-case letters, digits and hyphens',
          },
        ];
    const result = validateSchema<WrittenRegistry>(value, REGISTRY_SCHEMA);
    if ('issues' in result)
      return {
        definitions: [],
        issues: [
          ...issues,
          ...result.issues.map(({ path, message }) => ({ path: `registries.${name}.${path}`, message })),
        ],
      };
    const definition = definitionOf(name, result.value, { folder, currency, env }, issues);
    issues.push(...duplicateTldIssues(name, result.value, claims));
    return { definitions: issues.length === 0 ? [definition] : [], issues };
  });
  return {
    definitions: results.flatMap(({ definitions }) => definitions),
    issues: results.flatMap(({ issues }) => issues),
  };
}

function definitionOf(
  name: string,
  registry: WrittenRegistry,
  source: Omit<RegistriesSource, 'file'> & { readonly folder: string },
  issues: Issue[],
): RegistryDefinition {
  const path = `registries.${name}`;
  const openSecretFiles: string[] = [];
  const sources = { ...source, onOpenFile: (file: string) => void openSecretFiles.push(file) };
  const settings = resolveSecrets(registry.settings ?? {}, `${path}.settings`, sources, issues);
  return {
    name,
    adapter: registry.adapter,
    folder: source.folder,
    settings,
    ...(openSecretFiles.length > 0 && { openSecretFiles }),
    readSecret: (setting) => readSecretFile(registry.settings?.[setting], source),
    tlds: tldsOf(registry, path, source, issues),
    limits: limitsOf(registry),
    accounts: registry.accounts ?? [],
  };
}

export function toConfigurationError(issues: readonly Issue[]): ConfigurationError {
  return new ConfigurationError(
    issues.map(({ path, message }) => ({
      path: ['REGISTRIES_FILE', path].filter((part) => part !== '').join(' '),
      message,
    })),
  );
}

function tldsOf(
  registry: WrittenRegistry,
  path: string,
  source: { readonly folder: string; readonly currency: string; readonly env: NodeJS.ProcessEnv },
  issues: Issue[],
): readonly TldRules[] {
  const prices = pricesOf(registry.prices ?? {}, `${path}.prices`, source.folder, issues);
  for (const [part, suffixes] of Object.entries({
    rules: Object.keys(registry.rules ?? {}),
    prices: Object.keys(prices),
  })) {
    for (const suffix of suffixes)
      if (!registry.tlds.includes(suffix))
        issues.push({ path: `${path}.${part}.${suffix}`, message: 'must be one of the TLDs of this registry' });
  }
  return registry.tlds.map((suffix) => {
    const rules = registry.rules?.[suffix] ?? {};
    const price = prices[suffix];
    issues.push(...ruleIssues(suffix, rules, `${path}.rules.${suffix}`));
    if (rules.cds === 'authenticated' && !source.env['DNSSEC_RESOLVER'])
      issues.push({
        path: `${path}.rules.${suffix}.cds`,
        message: 'needs DNSSEC_RESOLVER, a resolver that validates, for authenticated',
      });
    return {
      suffix,
      ...(rules.years && { years: rules.years }),
      ...(rules.renewal_years && { renewalYears: rules.renewal_years }),
      ...(rules.nameservers && { nameservers: rules.nameservers }),
      ...(rules.cds && { cds: rules.cds }),
      ...(rules.periods && { periods: periodsOf(rules.periods) }),
      ...(registry.read_lag_seconds !== undefined && { readLagSeconds: registry.read_lag_seconds }),
      ...(price && { price: quoteOf(price, `${path}.prices.${suffix}`, source.currency, issues) }),
    };
  });
}

function pricesOf(written: WrittenPrices | string, path: string, folder: string, issues: Issue[]): WrittenPrices {
  const result =
    typeof written === 'string'
      ? readYaml<WrittenPrices>(resolve(folder, written), PRICES_SCHEMA)
      : validateSchema<WrittenPrices>(written, PRICES_SCHEMA);
  if ('value' in result) return result.value;
  issues.push(
    ...result.issues.map((issue) => ({
      path: [path, issue.path].filter((part) => part !== '').join('.'),
      message: issue.message,
    })),
  );
  return {};
}

/** Settings that are absent have the defaults of `policyOf`. */
function ruleIssues(
  suffix: string,
  { years, renewal_years: renewalYears, nameservers, periods = {} }: WrittenRules,
  path: string,
): Issue[] {
  const issues: Issue[] = [];
  for (const [name, range, max] of [
    ['years', years, 10],
    ['renewal_years', renewalYears, 10],
    ['nameservers', nameservers, 13],
  ] as const) {
    if (range && (range.min > range.max || range.max > max || (name !== 'nameservers' && range.min < 1)))
      issues.push({
        path: `${path}.${name}`,
        message: `must be a range from a smaller to a greater number, at most ${max}`,
      });
  }
  const { renewalGrace, autoRenewGrace } = policyOf({ suffix, periods: periodsOf(periods) }).periods;
  if (renewalGrace > autoRenewGrace)
    issues.push({
      path: `${path}.periods.renewal_grace`,
      message: `must not be longer than auto_renew_grace, in which the registry refunds the added year: ${renewalGrace} > ${autoRenewGrace} days`,
    });
  return issues;
}

function periodsOf(periods: NonNullable<WrittenRules['periods']>): NonNullable<TldRules['periods']> {
  const { add_grace, auto_renew_grace, renewal_grace, redemption, pending_delete, transfer, auth_code } = periods;
  return {
    ...(add_grace !== undefined && { addGrace: add_grace }),
    ...(auto_renew_grace !== undefined && { autoRenewGrace: auto_renew_grace }),
    ...(renewal_grace !== undefined && { renewalGrace: renewal_grace }),
    ...(redemption !== undefined && { redemption }),
    ...(pending_delete !== undefined && { pendingDelete: pending_delete }),
    ...(transfer !== undefined && { transfer }),
    ...(auth_code !== undefined && { authCode: auth_code }),
  };
}

/** Amounts in the file are in major units: `10.44`. */
function quoteOf(price: WrittenPrice, path: string, currency: string, issues: Issue[]): PriceList {
  const amount = (written: number | string, name: string): Money => {
    const money = moneyOf(String(written), currency);
    if (!money)
      issues.push({ path: `${path}.${name}`, message: `must be an amount with no more decimals than ${currency} has` });
    return money ?? { minor: 0, currency };
  };
  const terms = (name: 'registration_terms' | 'renewal_terms') =>
    Object.fromEntries(
      Object.entries(price[name] ?? {}).map(([years, fee]) => [years, amount(fee, `${name}.${years}`)]),
    );
  return {
    registration: amount(price.registration, 'registration'),
    renewal: amount(price.renewal, 'renewal'),
    ...(price.restore !== undefined && { restore: amount(price.restore, 'restore') }),
    ...((price.registration_terms || price.renewal_terms) && {
      terms: { registration: terms('registration_terms'), renewal: terms('renewal_terms') },
    }),
  };
}

function limitsOf({
  concurrency,
  queue,
  per_second,
  query_seconds,
  command_seconds,
  failures,
  retry_after_seconds,
}: WrittenRegistry): RegistryLimits {
  return {
    concurrency: concurrency ?? DEFAULT_LIMITS.concurrency,
    queue: queue ?? DEFAULT_LIMITS.queue,
    ...(per_second !== undefined && { perSecond: per_second }),
    queryMs: query_seconds === undefined ? DEFAULT_LIMITS.queryMs : query_seconds * 1_000,
    commandMs: command_seconds === undefined ? DEFAULT_LIMITS.commandMs : command_seconds * 1_000,
    failures: failures ?? DEFAULT_LIMITS.failures,
    retryAfterMs: retry_after_seconds === undefined ? DEFAULT_LIMITS.retryAfterMs : retry_after_seconds * 1_000,
  };
}

function duplicateTldIssues(name: string, { tlds }: WrittenRegistry, claims: Map<string, string>): Issue[] {
  return tlds.flatMap((suffix, index): Issue[] => {
    const owner = claims.get(suffix);
    if (owner === undefined) claims.set(suffix, name);
    return owner === undefined
      ? []
      : [
          {
            path: `registries.${name}.tlds[${index}]`,
            message: `must be another TLD: ${suffix} is assigned to ${owner}`,
          },
        ];
  });
}
