import { NAMESPACES } from '../codec/namespaces';
import { childOf, tokenOf, type XmlElement } from '../codec/xml-element';
import { aLabelsOf, booleanOf } from './data-types';
import type { EppResponse } from './response';

const DOMAIN = NAMESPACES.domain;

/** The domain data of a poll message: a transfer's state, a completed pending action, or another change. */
export type DomainNotice =
  | {
      readonly kind: 'transfer';
      readonly name: string;
      readonly state: string;
      readonly gaining: string | undefined;
      readonly losing: string | undefined;
    }
  | { readonly kind: 'completion'; readonly name: string; readonly granted: boolean }
  | { readonly kind: 'state'; readonly name: string };

/** The domain data anywhere in the response; undefined without any. */
export function domainNoticeOf({
  resData,
  unhandled,
}: Pick<EppResponse, 'resData' | 'unhandled'>): DomainNotice | undefined {
  const data = [...(resData?.children ?? []), ...unhandled].filter(({ namespace }) => namespace === DOMAIN);
  for (const element of data) {
    const nameElement = childOf(element, DOMAIN, 'name');
    const name = tokenOf(nameElement);
    if (name !== undefined) return noticeOf(element, aLabelsOf(name), nameElement?.attributes.get('paResult'));
  }
  return undefined;
}

const NAME = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9][a-z0-9-]*[a-z0-9]$/;
/** Words of a text and elements of a message that are looked at. */
const MAX_CANDIDATES = 1_000;
const MAX_NAMES = 20;

/** The names in a message that `isServed`: first those in elements of any namespace, then those in the text. */
export function namesIn(
  { resData, extension, unhandled, message }: Pick<EppResponse, 'resData' | 'extension' | 'unhandled' | 'message'>,
  isServed: (name: string) => boolean,
): readonly string[] {
  const elements = [...(resData?.children ?? []), ...(extension?.children ?? []), ...unhandled];
  for (let next = 0; next < elements.length && elements.length < MAX_CANDIDATES; next += 1)
    elements.push(...(elements[next]?.children ?? []));
  const words = message?.text.split(/[^\p{L}\p{M}\p{N}_.-]+/u).map((word) => word.replace(/\.$/, '')) ?? [];
  const candidates = [...elements.flatMap((element) => tokenOf(element) ?? []), ...words]
    .slice(0, MAX_CANDIDATES)
    .map(aLabelsOf);
  return [...new Set(candidates)]
    .filter((word) => word.length <= 253 && NAME.test(word) && isServed(word))
    .slice(0, MAX_NAMES);
}

/** Verisign and CentralNic have namespaces for low-balance messages; others send only a text. */
const LOW_BALANCE_NAMESPACE = /low-?balance/i;
const LOW_BALANCE_TEXT =
  /\blow\b.{0,40}\b(?:balance|credit|funds)\b|\b(?:balance|credit|funds)\b.{0,40}\b(?:low|below|insufficient|exhausted)\b|\binsufficient (?:balance|credit|funds)\b/i;

/** Whether a message warns about a low balance. Reads the text, because only the log level and the display depend on it. */
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

function noticeOf(element: XmlElement, name: string, paResult: string | undefined): DomainNotice {
  const text = (child: string) => tokenOf(childOf(element, DOMAIN, child));
  if (element.name === 'trnData')
    return { kind: 'transfer', name, state: text('trStatus') ?? '', gaining: text('reID'), losing: text('acID') };
  if (element.name === 'panData') return { kind: 'completion', name, granted: booleanOf(paResult) };
  return { kind: 'state', name };
}
