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

/** The commands whose fees are asked for: those that are for a term with its years. */
export interface FeeQuestion {
  readonly create?: number;
  readonly renew?: number;
  readonly restore?: true;
}

/** The class of names without a price of their own (RFC 8748 3.7). */
const STANDARD = 'standard';

/** Asks what a name costs, in the registry's currency where none is named. One command that is not possible for its term leaves a name without any fee. */
export function feeCheck(currency: string | undefined, { create, renew, restore }: FeeQuestion): XmlElement {
  return fee('check', [
    currency === undefined ? undefined : fee('currency', currency),
    feeCommand('create', create),
    feeCommand('renew', renew),
    restore && fee('command', undefined, { name: 'restore' }),
  ]);
}

function feeCommand(name: 'create' | 'renew', years: number | undefined): XmlElement | undefined {
  return years === undefined ? undefined : fee('command', fee('period', String(years), { unit: 'y' }), { name });
}

/** What was charged for a command, by its response. In the currency that was agreed where the response names none. */
export function chargedFee(
  extension: XmlElement | undefined,
  element: 'creData' | 'renData' | 'updData',
  agreed: Money | undefined,
): Money | undefined {
  const data = childOf(extension, FEE, element);
  const currency = tokenOf(childOf(data, FEE, 'currency')) ?? agreed?.currency;
  return currency === undefined ? undefined : amountOf(data, currency);
}

/** The names that are in a class of their own, whether or not the registry tells their fees. */
export function premiumNames(chkData: XmlElement | undefined): ReadonlySet<string> {
  return new Set(
    childrenOf(chkData, FEE, 'cd').flatMap((cd) => {
      const [name, category] = [tokenOf(childOf(cd, FEE, 'objID')), tokenOf(childOf(cd, FEE, 'class'))];
      return name === undefined || category === undefined || category.toLowerCase() === STANDARD
        ? []
        : [name.toLowerCase()];
    }),
  );
}

/** Agrees to an amount: the registry refuses where it asks for more. */
export function feeAgreed(command: 'create' | 'renew' | 'update', price: Money): XmlElement {
  return fee(command, [fee('currency', price.currency), fee('fee', decimalOf(price))]);
}

/** The fees of each name that the registry sells and has told fees for, as far as they are in a sum of `chkData`'s currency and for the term asked for. */
export function feesOf(chkData: XmlElement | undefined, asked: FeeQuestion = {}): ReadonlyMap<string, Fees> {
  const currency = tokenOf(childOf(chkData, FEE, 'currency'));
  if (currency === undefined) return new Map();
  return new Map(
    childrenOf(chkData, FEE, 'cd').flatMap((cd): [string, Fees][] => {
      const name = tokenOf(childOf(cd, FEE, 'objID'));
      if (name === undefined || !booleanOf(cd.attributes.get('avail') ?? '1')) return [];
      const of = (command: string, years?: number) =>
        amountOf(
          childrenOf(cd, FEE, 'command').find(
            (element) => element.attributes.get('name') === command && isFor(element, years),
          ),
          currency,
        );
      return [
        [
          name.toLowerCase(),
          { create: of('create', asked.create), renew: of('renew', asked.renew), restore: of('restore') },
        ],
      ];
    }),
  );
}

/** A registry that answers with a fee of another term than the one asked for has not answered. */
function isFor(command: XmlElement, years: number | undefined): boolean {
  const period = childOf(command, FEE, 'period');
  if (!period || years === undefined) return true;
  return Number(tokenOf(period)) === (period.attributes.get('unit') === 'm' ? years * 12 : years);
}

function amountOf(command: XmlElement | undefined, currency: string): Money | undefined {
  const amounts = [...childrenOf(command, FEE, 'fee'), ...childrenOf(command, FEE, 'credit')].map((element) =>
    moneyOf(tokenOf(element) ?? '', currency),
  );
  if (childrenOf(command, FEE, 'fee').length === 0) return undefined;
  return amounts.reduce((total, amount) => total && amount && { currency, minor: total.minor + amount.minor }, {
    currency,
    minor: 0,
  });
}
