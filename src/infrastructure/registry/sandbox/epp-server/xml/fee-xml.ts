import type { YearRange } from '../../../../../domain/registration/names/tld-policy';
import { NAMESPACES } from '../../../epp/codec/namespaces';
import { childOf, childrenOf, tokenOf, elementFactory, type XmlElement } from '../../../epp/codec/xml-element';
import { decimalOf, moneyOf } from '../../../epp/mapping/amounts';
import { PRICE_LIST_CURRENCY, type Prices, type TldOffer } from '../../simulated/offers/tld-offer';
import { yearsOf } from './domain-xml';
import { EppError } from '../epp-error';

const FEE = NAMESPACES.fee;
const fee = elementFactory(FEE);

const PRICED = ['create', 'renew', 'transfer', 'restore'] as const;
type Priced = (typeof PRICED)[number];
/** RFC 8748 section 6.1. */
const COMMANDS: ReadonlySet<string> = new Set([...PRICED, 'delete', 'update', 'custom']);

interface NameOffer {
  readonly name: string;
  /** Undefined under another suffix. */
  readonly offered: TldOffer | undefined;
  readonly prices: Prices | undefined;
  readonly premium: boolean;
}

/** @throws EppError for another currency or an unknown command */
export function feeCheckData(check: XmlElement, offers: readonly NameOffer[]): XmlElement {
  const currency = tokenOf(childOf(check, FEE, 'currency')) ?? PRICE_LIST_CURRENCY;
  if (currency !== PRICE_LIST_CURRENCY) throw new EppError(2004, `Prices are in ${PRICE_LIST_CURRENCY}`);
  const commands = childrenOf(check, FEE, 'command');
  const unknown = commands.find((command) => !COMMANDS.has(command.attributes.get('name') ?? ''));
  if (unknown) throw new EppError(2001, 'A command of the fee extension is unknown');
  return fee('chkData', [fee('currency', currency), offers.map((offer) => offerData(offer, commands))]);
}

/** RFC 8748 section 4: a command for an unsold term makes the name unavailable, with a reason. */
function offerData({ name, offered, prices, premium }: NameOffer, commands: readonly XmlElement[]): XmlElement {
  if (!offered || !prices) return fee('cd', [fee('objID', name), fee('reason', 'Not for sale')], { avail: '0' });
  const unsold = commands.filter((command) => !isSold(command, offered));
  const data =
    unsold.length > 0
      ? unsold.map((command) => unsoldData(command, offered))
      : commands.map((command) => commandData(command, offered, prices, premium));
  return fee('cd', [fee('objID', name), premium ? fee('class', 'premium') : undefined, data], {
    avail: unsold.length > 0 ? '0' : '1',
  });
}

function isSold(command: XmlElement, offered: TldOffer): boolean {
  const range = soldYears(command, offered);
  const years = range ? termOf(command, range) : 1;
  return !range || (years >= range.min && years <= range.max);
}

function unsoldData(command: XmlElement, offered: TldOffer): XmlElement {
  const { min = 1, max = 1 } = soldYears(command, offered) ?? {};
  const period = fee('period', String(termOf(command, { min })), { unit: 'y' });
  return fee('command', [period, fee('reason', `Sold for ${min === max ? min : `${min} to ${max}`} years at a time`)], {
    name: command.attributes.get('name') ?? '',
  });
}

function soldYears(command: XmlElement, { years, renewalYears }: TldOffer): YearRange | undefined {
  const name = command.attributes.get('name');
  if (name === 'transfer') return { min: renewalYears.min, max: renewalYears.min };
  return name === 'create' ? years : name === 'renew' ? renewalYears : undefined;
}

/** The requested term; the shortest if absent. */
function termOf(command: XmlElement, { min }: Pick<YearRange, 'min'>): number {
  return childOf(command, FEE, 'period') ? yearsOf(command, FEE) : min;
}

function commandData(command: XmlElement, offered: TldOffer, prices: Prices, premium: boolean): XmlElement {
  const name = command.attributes.get('name') ?? '';
  const priced = PRICED.find((candidate) => candidate === name);
  const years = termOf(command, soldYears(command, offered) ?? { min: 1 });
  const minor = priced && feeOf(prices, priced, years);
  if (minor === undefined)
    return fee('command', name === 'update' || name === 'delete' ? fee('fee', '0.00') : fee('reason', 'Has no price'), {
      name,
    });
  const period = priced === 'restore' ? undefined : fee('period', String(years), { unit: 'y' });
  return fee('command', [period, fee('fee', decimalOf({ minor, currency: PRICE_LIST_CURRENCY }))], {
    name,
    ...(!premium && { standard: '1' }),
  });
}

function feeOf({ registration, renewal, restore }: Prices, command: Priced, years: number): number | undefined {
  if (command === 'create') return registration(years);
  return command === 'restore' ? restore : renewal(years);
}

/** @throws EppError if the client's fee differs from the registry's, or is missing for a premium name */
export function assertAgreed(extension: XmlElement | undefined, minor: number, premium: boolean): void {
  if (!extension) {
    if (premium) throw new EppError(2003, 'The fee of a premium name must be agreed');
    return;
  }
  const currency = childOf(extension, FEE, 'currency');
  if (currency && tokenOf(currency) !== PRICE_LIST_CURRENCY)
    throw new EppError(2004, `Prices are in ${PRICE_LIST_CURRENCY}`, currency);
  const fees = childrenOf(extension, FEE, 'fee');
  const agreed = fees
    .map((element) => moneyOf(tokenOf(element) ?? '', PRICE_LIST_CURRENCY)?.minor ?? NaN)
    .reduce((total, amount) => total + amount, 0);
  if (agreed !== minor)
    throw new EppError(
      2004,
      `The fee is ${decimalOf({ minor, currency: PRICE_LIST_CURRENCY })} ${PRICE_LIST_CURRENCY}`,
      fees[0],
    );
}

/** The charged fee, if the command has a fee extension. */
export function feeData(
  element: 'creData' | 'renData' | 'updData' | 'trnData',
  extension: XmlElement | undefined,
  minor: number,
): XmlElement | undefined {
  return (
    extension &&
    fee(element, [
      fee('currency', PRICE_LIST_CURRENCY),
      fee('fee', decimalOf({ minor, currency: PRICE_LIST_CURRENCY })),
    ])
  );
}
