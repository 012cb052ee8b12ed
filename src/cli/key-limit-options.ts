import { parseKeyLimits, type GivenLimits } from '../domain/access/key-limits';
import { INSTANT_EXPECTATION, parseInstant } from '../domain/shared/time/calendar';
import { ofAmount } from '../domain/shared/money';
import type { Options } from './command-spec';
import { UsageError } from './usage-error';

/** The options that limit a new key. */
export const LIMIT_OPTIONS = [
  'domain',
  'tag',
  'record',
  'type',
  'action',
  'network',
  'expires',
  'unused-after',
  'per-order',
  'per-day',
  'per-month',
  'propose',
] as const satisfies readonly (keyof Options)[];

const SPEND_OPTIONS = [
  ['perOrder', 'per-order'],
  ['perDay', 'per-day'],
  ['perMonth', 'per-month'],
] as const;

/** @throws UsageError */
export function parseExpiry({ expires }: Options): Date | undefined {
  if (expires === undefined) return undefined;
  const time = parseInstant(expires);
  if (!time) throw new UsageError(`--expires must be ${INSTANT_EXPECTATION}`);
  return time;
}

/** Validates the options; the result makes the limits with amounts in a currency. @throws UsageError, ValidationError */
export function parseLimits(options: Options): (currency: string) => GivenLimits | undefined {
  const {
    domain: domains,
    tag: tags,
    record: names,
    type: types,
    action: actions,
    network: networks,
    propose,
  } = options;
  const unusedAfterDays = numberOf(options, 'unused-after');
  const limits = parseKeyLimits({ domains, tags, names, types, actions, networks, unusedAfterDays, propose });
  const amounts = SPEND_OPTIONS.flatMap(([field, option]) => {
    const amount = numberOf(options, option);
    return amount === undefined ? [] : [[field, amount] as const];
  });
  return (currency) => {
    if (amounts.length === 0) return limits ?? undefined;
    const spend = Object.fromEntries(amounts.map(([field, amount]) => [field, ofAmount(amount, currency)]));
    return { ...limits, spend };
  };
}

function numberOf(options: Options, name: 'unused-after' | 'per-order' | 'per-day' | 'per-month'): number | undefined {
  const text = options[name];
  if (text === undefined) return undefined;
  if (!/^\d{1,9}(?:\.\d{1,2})?$/.test(text)) throw new UsageError(`--${name} must be a number`);
  return Number(text);
}
