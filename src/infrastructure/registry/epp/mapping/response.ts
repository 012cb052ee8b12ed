import { NAMESPACES } from '../codec/namespaces';
import { childOf, childrenOf, tokenOf, type XmlElement } from '../codec/xml-element';
import { ProtocolError } from './protocol-error';
import { RESULT, type EppResult } from './result-codes';

const EPP = NAMESPACES.epp;
const MAX_REASON_LENGTH = 300;

/** A response to a command (RFC 5730 section 2.6). */
export interface EppResponse extends EppResult {
  /** The first failure of several results, otherwise the first result. */
  readonly code: number;
  /** The results' messages and reasons for people, shortened, on one line. */
  readonly reason: string;
  readonly clTRID: string | undefined;
  readonly svTRID: string | undefined;
  readonly message: QueuedMessage | undefined;
  readonly resData: XmlElement | undefined;
  readonly extension: XmlElement | undefined;
  /** Data in namespaces that this session did not log in with (RFC 9038). */
  readonly unhandled: readonly XmlElement[];
}

/** `<msgQ>`. The text is empty in responses to other commands than poll. */
interface QueuedMessage {
  readonly id: string;
  readonly at: string | undefined;
  readonly text: string;
}

/** @throws ProtocolError unless it is a response, and for a message without an id */
export function responseOf(root: XmlElement): EppResponse {
  const response = root.name === 'epp' && root.namespace === EPP ? childOf(root, EPP, 'response') : undefined;
  if (!response) throw new ProtocolError('not an EPP response');
  const results = childrenOf(response, EPP, 'result');
  const codes = results.map(({ attributes }) => Number(attributes.get('code')));
  const code = codes.find((each) => each >= 2000) ?? codes[0];
  if (code === undefined || !Number.isInteger(code) || code < 1000 || code > 2999)
    throw new ProtocolError('response without a valid result code');
  const message = messageOf(childOf(response, EPP, 'msgQ'));
  if (code === RESULT.message && !message) throw new ProtocolError('poll message without an id');
  const trID = childOf(response, EPP, 'trID');
  return {
    code,
    reason: reasonOf(results),
    clTRID: tokenOf(childOf(trID, EPP, 'clTRID')),
    svTRID: tokenOf(childOf(trID, EPP, 'svTRID')),
    message,
    resData: childOf(response, EPP, 'resData'),
    extension: childOf(response, EPP, 'extension'),
    unhandled: results.flatMap((result) =>
      childrenOf(result, EPP, 'extValue').flatMap((value) => childOf(value, EPP, 'value')?.children ?? []),
    ),
  };
}

function reasonOf(results: readonly XmlElement[]): string {
  const texts = results.flatMap((result) => [
    childOf(result, EPP, 'msg'),
    ...childrenOf(result, EPP, 'extValue').map((value) => childOf(value, EPP, 'reason')),
  ]);
  return printable([...new Set(texts.flatMap((text) => tokenOf(text) || []))].join('; '));
}

function messageOf(msgQ: XmlElement | undefined): QueuedMessage | undefined {
  const id = msgQ?.attributes.get('id');
  return id === undefined
    ? undefined
    : { id, at: tokenOf(childOf(msgQ, EPP, 'qDate')), text: printable(tokenOf(childOf(msgQ, EPP, 'msg')) ?? '') };
}

function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, ' ').slice(0, MAX_REASON_LENGTH);
}
