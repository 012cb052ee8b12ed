import { NAMESPACES } from '../codec/namespaces';
import { childOf, childrenOf, tokenOf, type XmlElement } from '../codec/xml-element';
import { ProtocolError } from './protocol-error';
import { RESULT } from './result-codes';

const EPP = NAMESPACES.epp;
const LONGEST_REASON = 300;

/** What a registry answers to a command. Everything that it answers is of its own making. */
export interface EppResponse {
  /** Of several results the first that is a failure, otherwise the first. */
  readonly code: number;
  /** The results' messages and reasons, for people: shortened, on one line. */
  readonly reason: string;
  readonly clTRID: string | undefined;
  readonly svTRID: string | undefined;
  readonly message: QueuedMessage | undefined;
  readonly resData: XmlElement | undefined;
  readonly extension: XmlElement | undefined;
  /** What the registry had to say in a namespace that this session has not logged in with (RFC 9038). */
  readonly unhandled: readonly XmlElement[];
}

/** `<msgQ>`: present without a text where an answer merely mentions the queue. */
interface QueuedMessage {
  readonly id: string;
  readonly at: string | undefined;
  readonly text: string;
}

/** @throws ProtocolError for anything but a response, and for a message that cannot be acknowledged */
export function responseOf(root: XmlElement): EppResponse {
  const response = root.name === 'epp' && root.namespace === EPP ? childOf(root, EPP, 'response') : undefined;
  if (!response) throw new ProtocolError('no response where one was due');
  const results = childrenOf(response, EPP, 'result');
  const codes = results.map(({ attributes }) => Number(attributes.get('code')));
  const code = codes.find((each) => each >= 2000) ?? codes[0];
  if (code === undefined || !Number.isInteger(code) || code < 1000 || code > 2999)
    throw new ProtocolError('a response without a result');
  const message = messageOf(childOf(response, EPP, 'msgQ'));
  if (code === RESULT.message && !message) throw new ProtocolError('a message without its id');
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
  return text.replace(/[\p{Cc}\p{Cf}]/gu, ' ').slice(0, LONGEST_REASON);
}
