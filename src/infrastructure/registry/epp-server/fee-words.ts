import type { PriceQuote } from '../../../application/ports/registry/registry-port';
import type { Money } from '../../../domain/shared/money';
import { NAMESPACES } from '../epp/codec/namespaces';
import { childOf, childrenOf, tokenOf, vocabulary, type XmlElement } from '../epp/codec/xml-element';
import { decimalOf, moneyOf } from '../epp/mapping/amounts';
import { PRICE_LIST_CURRENCY } from '../simulated/tld-offer';
import { yearsOf } from './domain-words';
import { EppFailure } from './epp-failure';

const FEE = NAMESPACES.fee;
const fee = vocabulary(FEE);

const PRICED = ['create', 'renew', 'transfer', 'restore'] as const;
type Priced = (typeof PRICED)[number];
/** Of RFC 8748, section 6.1. */
const COMMANDS: ReadonlySet<string> = new Set([...PRICED, 'delete', 'update', 'custom']);

/** What a name costs, and whether that is its suffix's price. */
export interface NameOffer {
  readonly name: string;
  /** Undefined where it cannot be registered. */
  readonly quote: PriceQuote | undefined;
  readonly premium: boolean;
}

/** @throws EppFailure for a currency that is not ours, or a command that nobody knows */
export function feeCheckData(check: XmlElement, offers: readonly NameOffer[]): XmlElement {
  const currency = tokenOf(childOf(check, FEE, 'currency')) ?? PRICE_LIST_CURRENCY;
  if (currency !== PRICE_LIST_CURRENCY) throw new EppFailure(2004, `Prices are in ${PRICE_LIST_CURRENCY}`);
  const commands = childrenOf(check, FEE, 'command');
  const unknown = commands.find((command) => !COMMANDS.has(command.attributes.get('name') ?? ''));
  if (unknown) throw new EppFailure(2001, 'A command of the fee extension is unknown');
  return fee('chkData', [fee('currency', currency), offers.map((offer) => offerData(offer, commands))]);
}

function offerData({ name, quote, premium }: NameOffer, commands: readonly XmlElement[]): XmlElement {
  if (!quote) return fee('cd', [fee('objID', name), fee('reason', 'Not for sale')], { avail: '0' });
  return fee('cd', [fee('objID', name), premium ? fee('class', 'premium') : undefined, commands.map((command) => commandData(command, quote, premium))], { avail: '1' });
}

function commandData(command: XmlElement, quote: PriceQuote, premium: boolean): XmlElement {
  const name = command.attributes.get('name') ?? '';
  const priced = PRICED.find((candidate) => candidate === name);
  if (!priced) return fee('command', name === 'update' || name === 'delete' ? fee('fee', '0.00') : fee('reason', 'Has no price'), { name });
  const years = priced === 'restore' ? 1 : yearsOf(command, FEE);
  const period = priced === 'restore' ? undefined : fee('period', String(years), { unit: 'y' });
  return fee('command', [period, fee('fee', decimalOf(multiplied(unitPrice(quote, priced), years)))], { name, ...(!premium && { standard: '1' }) });
}

function unitPrice(quote: PriceQuote, command: Priced): Money {
  if (command === 'create') return quote.registration;
  return command === 'restore' ? quote.restore : quote.renewal;
}

function multiplied({ minor, currency }: Money, factor: number): Money {
  return { minor: minor * factor, currency };
}

/** Compares what the client agrees to with what we ask. @throws EppFailure where it differs, or a premium name's was not agreed */
export function assertAgreed(extension: XmlElement | undefined, minor: number, premium: boolean): void {
  if (!extension) {
    if (premium) throw new EppFailure(2003, 'The fee of a premium name must be agreed');
    return;
  }
  const currency = childOf(extension, FEE, 'currency');
  if (currency && tokenOf(currency) !== PRICE_LIST_CURRENCY) throw new EppFailure(2004, `Prices are in ${PRICE_LIST_CURRENCY}`, currency);
  const fees = childrenOf(extension, FEE, 'fee');
  const agreed = fees.map((element) => moneyOf(tokenOf(element) ?? '', PRICE_LIST_CURRENCY)?.minor ?? NaN).reduce((total, amount) => total + amount, 0);
  if (agreed !== minor) throw new EppFailure(2004, `The fee is ${decimalOf({ minor, currency: PRICE_LIST_CURRENCY })} ${PRICE_LIST_CURRENCY}`, fees[0]);
}

/** What was charged, where the client spoke of fees. */
export function feeData(element: 'creData' | 'renData' | 'updData' | 'trnData', extension: XmlElement | undefined, minor: number): XmlElement | undefined {
  return extension && fee(element, [fee('currency', PRICE_LIST_CURRENCY), fee('fee', decimalOf({ minor, currency: PRICE_LIST_CURRENCY }))]);
}
