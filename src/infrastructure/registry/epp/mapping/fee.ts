import type { Money } from '../../../../domain/shared/money';
import { NAMESPACES } from '../codec/namespaces';
import { childOf, childrenOf, tokenOf, elementFactory, type XmlElement } from '../codec/xml-element';
import { booleanOf } from './data-types';
import { decimalOf, moneyOf } from './amounts';

const fee = elementFactory(NAMESPACES.fee);
const FEE = NAMESPACES.fee;

/** The fees of a name (RFC 8748). Undefined for a command without a fee. */
export interface Fees {
  readonly create: Money | undefined;
  readonly renew: Money | undefined;
  readonly restore: Money | undefined;
  readonly transfer: Money | undefined;
}

/** The commands whose fees are requested, with the years of their terms. */
export interface FeeRequest {
  readonly create?: number;
  readonly renew?: number;
  readonly transfer?: number;
  readonly restore?: true;
}

/** The fee class of names that are not premium (RFC 8748 section 3.7). */
const STANDARD = 'standard';

/** Without `currency` the registry uses its own. One command that is impossible for its term can leave a name without any fee. */
export function feeCheck(currency: string | undefined, { create, renew, transfer, restore }: FeeRequest): XmlElement {
  return fee('check', [
    currency === undefined ? undefined : fee('currency', currency),
    feeCommand('create', create),
    feeCommand('renew', renew),
    feeCommand('transfer', transfer),
    restore && fee('command', undefined, { name: 'restore' }),
  ]);
}

function feeCommand(name: 'create' | 'renew' | 'transfer', years: number | undefined): XmlElement | undefined {
  return years === undefined ? undefined : fee('command', fee('period', String(years), { unit: 'y' }), { name });
}

/** The charged fee in a response, in the agreed currency if the response has none. */
export function chargedFee(
  extension: XmlElement | undefined,
  element: 'creData' | 'renData' | 'updData' | 'trnData',
  agreed: Money | undefined,
): Money | undefined {
  const data = childOf(extension, FEE, element);
  const currency = tokenOf(childOf(data, FEE, 'currency')) ?? agreed?.currency;
  return currency === undefined ? undefined : amountOf(data, currency);
}

/** Names with a fee class other than `standard`, with or without fees. */
export function premiumNames(chkData: XmlElement | undefined): ReadonlySet<string> {
  return new Set(
    childrenOf(chkData, FEE, 'cd').flatMap((cd) => {
      const name = tokenOf(childOf(cd, FEE, 'objID'));
      // Drafts of RFC 8748 have the class in the commands.
      const category = [cd, ...childrenOf(cd, FEE, 'command')].flatMap(
        (each) => tokenOf(childOf(each, FEE, 'class')) ?? [],
      )[0];
      return name === undefined || category === undefined || category.toLowerCase() === STANDARD
        ? []
        : [name.toLowerCase()];
    }),
  );
}

/** The agreed fee of a command. The registry rejects the command if its fee is higher. */
export function agreedFee(command: 'create' | 'renew' | 'update' | 'transfer', price: Money): XmlElement {
  return fee(command, [fee('currency', price.currency), fee('fee', decimalOf(price))]);
}

/** The fees of each available name, for the requested terms. */
export function feesOf(chkData: XmlElement | undefined, request: FeeRequest = {}): ReadonlyMap<string, Fees> {
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
          {
            create: of('create', request.create),
            renew: of('renew', request.renew),
            restore: of('restore'),
            transfer: of('transfer', request.transfer),
          },
        ],
      ];
    }),
  );
}

/** A fee of another term than the requested one counts as none. */
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
