import type { Money } from '../../../../domain/shared/money';
import { NAMESPACES } from '../codec/namespaces';
import { childOf, childrenOf, tokenOf, vocabulary, type XmlElement } from '../codec/xml-element';
import { booleanOf } from './data-types';
import { decimalOf, moneyOf } from './amounts';

const fee = vocabulary(NAMESPACES.fee);
const FEE = NAMESPACES.fee;

/** What RFC 8748 says of a name: undefined where it has no fee for that command. */
export interface Fees {
  readonly create: Money | undefined;
  readonly renew: Money | undefined;
  readonly restore: Money | undefined;
}

/** Asks what a name costs: to create and to renew for `years`, and to restore. */
export function feeCheck(currency: string, years: number): XmlElement {
  const period = () => fee('period', String(years), { unit: 'y' });
  const commands = [fee('command', period(), { name: 'create' }), fee('command', period(), { name: 'renew' }), fee('command', undefined, { name: 'restore' })];
  return fee('check', [fee('currency', currency), commands]);
}

/** Agrees to an amount: the registry refuses where it asks for more. */
export function feeAgreed(command: 'create' | 'renew' | 'update', price: Money): XmlElement {
  return fee(command, [fee('currency', price.currency), fee('fee', decimalOf(price))]);
}

/** The fees of each name that the registry sells and has told fees for, as far as they are in a sum of `chkData`'s currency. */
export function feesOf(chkData: XmlElement | undefined): ReadonlyMap<string, Fees> {
  const currency = tokenOf(childOf(chkData, FEE, 'currency'));
  if (currency === undefined) return new Map();
  return new Map(
    childrenOf(chkData, FEE, 'cd').flatMap((cd): [string, Fees][] => {
      const name = tokenOf(childOf(cd, FEE, 'objID'));
      if (name === undefined || !booleanOf(cd.attributes.get('avail') ?? '1')) return [];
      const of = (command: string) => amountOf(childrenOf(cd, FEE, 'command').find(({ attributes }) => attributes.get('name') === command), currency);
      return [[name.toLowerCase(), { create: of('create'), renew: of('renew'), restore: of('restore') }]];
    }),
  );
}

function amountOf(command: XmlElement | undefined, currency: string): Money | undefined {
  const amounts = [...childrenOf(command, FEE, 'fee'), ...childrenOf(command, FEE, 'credit')].map((element) => moneyOf(tokenOf(element) ?? '', currency));
  if (childrenOf(command, FEE, 'fee').length === 0) return undefined;
  return amounts.reduce((total, amount) => total && amount && { currency, minor: total.minor + amount.minor }, { currency, minor: 0 });
}
