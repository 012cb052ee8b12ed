import { quantityText } from '../shared/text/quantity-text';
import { moneyText } from '../shared/money';
import type { KeyLimits, SpendLimits } from './key-limits';

/** The limits of a key in words, for lists: `TXT records named _acme-challenge of example.com; may read, write`. */
export function describeLimits(limits: KeyLimits): string {
  const { domains, tags, names, types, actions, networks, unusedAfterDays, spend, propose } = limits;
  const isForRecords = names !== undefined || types !== undefined;
  const records = [
    ...(types ? [`${types.join(', ')} records`] : isForRecords ? ['records'] : []),
    ...(names ? [`named ${names.join(', ')}`] : []),
    ...(domains ? [`${isForRecords ? 'of ' : ''}${domains.join(', ')}`] : []),
    ...(tags ? [`${domains ? '' : `${isForRecords ? 'of ' : ''}domains `}tagged ${tags.join(', ')}`] : []),
  ];
  return [
    ...(records.length > 0 ? [records.join(' ')] : []),
    ...(actions ? [`may ${actions.join(', ')}`] : []),
    ...(networks ? [`from ${networks.join(', ')}`] : []),
    ...(unusedAfterDays === undefined ? [] : [`expires after ${quantityText(unusedAfterDays, 'day')} without use`]),
    ...(propose ? ['only proposes changes'] : []),
    ...(spend ? [`spends at most ${describeSpend(spend)}`] : []),
  ].join('; ');
}

/** `5.00 USD per order, 50.00 USD per day`. */
export function describeSpend({ perOrder, perDay, perMonth }: SpendLimits): string {
  return [
    ...(perOrder ? [`${moneyText(perOrder)} per order`] : []),
    ...(perDay ? [`${moneyText(perDay)} per day`] : []),
    ...(perMonth ? [`${moneyText(perMonth)} per month`] : []),
  ].join(', ');
}
