import { NAMESPACES } from '../codec/namespaces';
import { childOf, tokenOf, type XmlElement } from '../codec/xml-element';
import { booleanOf } from './data-types';
import type { EppResponse } from './response';

const DOMAIN = NAMESPACES.domain;

/** What a message says about a domain: a transfer's state, the end of something pending, or merely that something happened. */
export type DomainNews =
  | {
      readonly kind: 'transfer';
      readonly name: string;
      readonly state: string;
      readonly gaining: string | undefined;
      readonly losing: string | undefined;
    }
  | { readonly kind: 'completion'; readonly name: string; readonly granted: boolean }
  | { readonly kind: 'state'; readonly name: string };

/** The news about a domain, wherever in the answer it stands; undefined where there is none. */
export function domainNewsOf({
  resData,
  unhandled,
}: Pick<EppResponse, 'resData' | 'unhandled'>): DomainNews | undefined {
  const data = [...(resData?.children ?? []), ...unhandled].filter(({ namespace }) => namespace === DOMAIN);
  for (const element of data) {
    const nameElement = childOf(element, DOMAIN, 'name');
    const name = tokenOf(nameElement)?.toLowerCase();
    if (name !== undefined) return newsOf(element, name, nameElement?.attributes.get('paResult'));
  }
  return undefined;
}

/** Verisign's and CentralNic's low-balance messages have namespaces of their own; others have no data but a text. */
const LOW_BALANCE_NAMESPACE = /low-?balance/i;
const LOW_BALANCE_TEXT =
  /\blow\b.{0,40}\b(?:balance|credit|funds)\b|\b(?:balance|credit|funds)\b.{0,40}\b(?:low|below|insufficient|exhausted)\b|\binsufficient (?:balance|credit|funds)\b/i;

/** Whether a message about no domain warns that our credit at the registry is running out. Its text only decides how loudly it is told. */
export function isLowBalance({
  resData,
  unhandled,
  message,
}: Pick<EppResponse, 'resData' | 'unhandled' | 'message'>): boolean {
  const data = [...(resData?.children ?? []), ...unhandled];
  return (
    data.some(({ namespace }) => LOW_BALANCE_NAMESPACE.test(namespace)) ||
    (data.length === 0 && LOW_BALANCE_TEXT.test(message?.text ?? ''))
  );
}

function newsOf(element: XmlElement, name: string, paResult: string | undefined): DomainNews {
  const text = (child: string) => tokenOf(childOf(element, DOMAIN, child));
  if (element.name === 'trnData')
    return { kind: 'transfer', name, state: text('trStatus') ?? '', gaining: text('reID'), losing: text('acID') };
  if (element.name === 'panData') return { kind: 'completion', name, granted: booleanOf(paResult) };
  return { kind: 'state', name };
}
