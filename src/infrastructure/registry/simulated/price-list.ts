import type { TldPolicy } from '../../../domain/registration/tld-policy';

export interface TldOffer extends TldPolicy {
  /** For one year, in minor units of `PRICE_LIST_CURRENCY`. */
  readonly registration: number;
  readonly renewal: number;
}

export const PRICE_LIST_CURRENCY = 'USD';

const COMMON_RULES = { years: { min: 1, max: 10 }, nameservers: { min: 2, max: 13 }, authCodeDays: 14 };

function offer(suffix: string, registration: number, renewal: number, rules: Partial<TldPolicy> = {}): TldOffer {
  return { ...COMMON_RULES, ...rules, suffix, registration, renewal };
}

export const PRICE_LIST: readonly TldOffer[] = [
  offer('com', 10_44, 10_44),
  offer('net', 11_84, 11_84),
  offer('org', 7_50, 10_74),
  offer('io', 28_12, 46_30, { nameservers: { min: 2, max: 7 } }),
  offer('dev', 10_18, 12_18),
  offer('app', 10_18, 14_18),
  offer('co', 9_99, 28_99, { years: { min: 1, max: 5 } }),
  offer('info', 3_99, 20_99),
  offer('xyz', 2_04, 12_98),
  offer('me', 5_99, 17_99),
  offer('biz', 6_99, 18_99),
  offer('name', 8_99, 8_99),
  offer('pro', 3_49, 20_49),
  offer('mobi', 4_49, 32_99),
  offer('tel', 9_49, 12_49),
  offer('online', 1_99, 29_99),
  offer('site', 1_99, 29_99),
  offer('store', 1_99, 44_99),
  offer('tech', 5_99, 49_99),
  offer('shop', 1_99, 32_99),
  offer('blog', 3_99, 22_99),
  offer('cloud', 3_99, 20_99),
  offer('design', 7_99, 41_99),
  offer('page', 10_18, 10_18),
  offer('live', 2_99, 26_99),
  offer('news', 6_99, 29_99),
  offer('studio', 8_99, 27_99),
  offer('agency', 4_99, 23_99),
  offer('digital', 2_99, 33_99),
  offer('email', 4_99, 24_99),
  offer('network', 4_99, 29_99),
  offer('systems', 6_99, 26_99),
  offer('software', 14_99, 35_99),
  offer('solutions', 4_99, 26_99),
  offer('world', 3_99, 33_99),
  offer('zone', 8_99, 31_99),
  offer('ai', 69_98, 69_98, { years: { min: 2, max: 10 } }),
  offer('eu', 5_49, 7_49),
  offer('de', 4_59, 4_59, { years: { min: 1, max: 1 } }),
  offer('nl', 4_99, 7_99, { years: { min: 1, max: 1 } }),
  offer('fr', 6_99, 8_99),
  offer('ch', 7_99, 7_99, { years: { min: 1, max: 1 } }),
  offer('at', 11_99, 11_99, { years: { min: 1, max: 1 } }),
  offer('be', 6_49, 7_49, { years: { min: 1, max: 1 }, nameservers: { min: 2, max: 9 } }),
  offer('uk', 5_49, 5_49),
  offer('co.uk', 5_49, 5_49),
  offer('org.uk', 5_49, 5_49),
  offer('me.uk', 5_49, 5_49),
  offer('com.au', 9_99, 11_99, { years: { min: 1, max: 5 } }),
  offer('net.au', 9_99, 11_99, { years: { min: 1, max: 5 } }),
  offer('co.nz', 12_99, 12_99),
  offer('com.br', 11_49, 11_49),
  offer('us', 4_49, 8_99),
  offer('ca', 8_99, 10_99),
  offer('in', 6_99, 9_99),
  offer('tv', 24_99, 32_99),
  offer('cc', 5_99, 11_99),
];
