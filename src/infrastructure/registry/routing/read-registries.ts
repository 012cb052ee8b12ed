import { dirname, resolve } from 'node:path';
import { ConfigurationError } from '../../../config';
import type { Money } from '../../../domain/shared/money';
import type { Issue } from '../../../domain/shared/issue';
import { moneyOf } from '../epp/mapping/amounts';
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
import { withSecrets } from './secret-references';
import { judged, readWritten } from './written-file';

/** A registry as the operator wants it. */
export interface RegistryDefinition {
  readonly name: string;
  /** A name out of `REGISTRY_ADAPTERS`, an npm package, or the path of a module. */
  readonly adapter: string;
  /** Where the adapter's module is looked for, if it is one. */
  readonly folder: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly tlds: readonly TldRules[];
  readonly limits: RegistryLimits;
}

export interface RegistriesSource {
  readonly file: string;
  readonly currency: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface RegistriesReading {
  /** Those that have no issue of their own. */
  readonly definitions: readonly RegistryDefinition[];
  readonly issues: readonly Issue[];
}

const NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** Reads the file of registries and what it refers to; starts nothing. */
export function readRegistries({ file, currency, env }: RegistriesSource): RegistriesReading {
  const reading = readWritten<WrittenRegistries>(file, REGISTRIES_SCHEMA);
  if ('issues' in reading) return { definitions: [], issues: reading.issues };
  const folder = dirname(resolve(file));
  const claims = new Map<string, string>();
  const readings = Object.entries(reading.written.registries).map(([name, value]): RegistriesReading => {
    const issues: Issue[] = NAME.test(name)
      ? []
      : [
          {
            path: `registries.${name}`,
            message: 'must be called by lower-case letters, digits and hyphens, 32 at most',
          },
        ];
    const judgment = judged<WrittenRegistry>(value, REGISTRY_SCHEMA);
    if ('issues' in judgment)
      return {
        definitions: [],
        issues: [
          ...issues,
          ...judgment.issues.map(({ path, message }) => ({ path: `registries.${name}.${path}`, message })),
        ],
      };
    const definition = definitionOf(name, judgment.written, { folder, currency, env }, issues);
    issues.push(...sharedTlds(name, judgment.written, claims));
    return { definitions: issues.length === 0 ? [definition] : [], issues };
  });
  return {
    definitions: readings.flatMap(({ definitions }) => definitions),
    issues: readings.flatMap(({ issues }) => issues),
  };
}

function definitionOf(
  name: string,
  registry: WrittenRegistry,
  where: Omit<RegistriesSource, 'file'> & { readonly folder: string },
  issues: Issue[],
): RegistryDefinition {
  const path = `registries.${name}`;
  return {
    name,
    adapter: registry.adapter,
    folder: where.folder,
    settings: withSecrets(registry.settings ?? {}, `${path}.settings`, where, issues),
    tlds: tldsOf(registry, path, where, issues),
    limits: limitsOf(registry),
  };
}

export function registriesInvalid(issues: readonly Issue[]): ConfigurationError {
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
  where: { readonly folder: string; readonly currency: string },
  issues: Issue[],
): readonly TldRules[] {
  const prices = pricesOf(registry.prices ?? {}, `${path}.prices`, where.folder, issues);
  for (const [part, suffixes] of Object.entries({
    rules: Object.keys(registry.rules ?? {}),
    prices: Object.keys(prices),
  })) {
    for (const suffix of suffixes)
      if (!registry.tlds.includes(suffix))
        issues.push({ path: `${path}.${part}.${suffix}`, message: 'is about a TLD that the registry does not have' });
  }
  return registry.tlds.map((suffix) => {
    const rules = registry.rules?.[suffix] ?? {};
    const price = prices[suffix];
    issues.push(...ruleIssues(suffix, rules, `${path}.rules.${suffix}`));
    return {
      suffix,
      ...(rules.years && { years: rules.years }),
      ...(rules.renewal_years && { renewalYears: rules.renewal_years }),
      ...(rules.nameservers && { nameservers: rules.nameservers }),
      ...(rules.periods && { periods: periodsOf(rules.periods) }),
      ...(price && { price: quoteOf(price, `${path}.prices.${suffix}`, where.currency, issues) }),
    };
  });
}

function pricesOf(written: WrittenPrices | string, path: string, folder: string, issues: Issue[]): WrittenPrices {
  const reading =
    typeof written === 'string'
      ? readWritten<WrittenPrices>(resolve(folder, written), PRICES_SCHEMA)
      : judged<WrittenPrices>(written, PRICES_SCHEMA);
  if ('written' in reading) return reading.written;
  issues.push(
    ...reading.issues.map((issue) => ({
      path: [path, issue.path].filter((part) => part !== '').join('.'),
      message: issue.message,
    })),
  );
  return {};
}

/** What is not written is what is common. */
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
      issues.push({ path: `${path}.${name}`, message: `must go from a smaller to a greater number, ${max} at most` });
  }
  const { renewalGrace: ours, autoRenewGrace: theirs } = policyOf({ suffix, periods: periodsOf(periods) }).periods;
  if (ours > theirs)
    issues.push({
      path: `${path}.periods.renewal_grace`,
      message: `must not be longer than auto_renew_grace, which pays for it: ${ours} days are longer than ${theirs}`,
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

/** Amounts are written in whole units: `10.44`. */
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
    restore: amount(price.restore, 'restore'),
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

function sharedTlds(name: string, { tlds }: WrittenRegistry, claims: Map<string, string>): Issue[] {
  return tlds.flatMap((suffix, index): Issue[] => {
    const owner = claims.get(suffix);
    if (owner === undefined) claims.set(suffix, name);
    return owner === undefined
      ? []
      : [{ path: `registries.${name}.tlds[${index}]`, message: `must be another TLD: ${suffix} belongs to ${owner}` }];
  });
}
