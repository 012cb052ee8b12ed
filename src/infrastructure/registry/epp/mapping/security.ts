import { dsRecordOf, type DsRecord, type DnsKey } from '../../../../domain/dns/delegation/ds-record';
import { NAMESPACES } from '../codec/namespaces';
import { childOf, childrenOf, elementFactory, tokenOf, type XmlElement } from '../codec/xml-element';
import { epp, transform, type EppCommand } from './commands/command';
import { ProtocolError } from './protocol-error';

const SECDNS = NAMESPACES.secDNS;
const domain = elementFactory(NAMESPACES.domain);
const secDNS = elementFactory(SECDNS);

/** The DS data interface or the key data interface of RFC 5910 section 4. A registry takes one of them. */
export type DsRecordMode = 'ds' | 'keys';

interface SignerOptions {
  /** Seconds (RFC 5910 section 3.3); not sent if absent. */
  readonly maxSigLife?: number | undefined;
  readonly urgent?: boolean | undefined;
}

/** An update of the DS records only: `rem` before `add`, with DS data or with keys, never both. */
export function updateDsRecords(
  name: string,
  { add, remove }: { readonly add: readonly DsRecord[]; readonly remove: readonly DsRecord[] | 'all' },
  mode: DsRecordMode,
  { maxSigLife, urgent }: SignerOptions = {},
): EppCommand {
  const element = mode === 'ds' ? dsData : keyData;
  const life = maxSigLife === undefined ? undefined : secDNS('maxSigLife', String(maxSigLife));
  const removal = remove === 'all' ? [secDNS('all', 'true')] : remove.map(element);
  const update = secDNS(
    'update',
    [
      removal.length > 0 ? secDNS('rem', removal) : undefined,
      add.length > 0 ? secDNS('add', [life, add.map(element)]) : undefined,
    ],
    { urgent: urgent ? '1' : undefined },
  );
  return transform('domain:update:secDNS', epp('update', domain('update', domain('name', name))), {
    extensions: [update],
  });
}

/** The DS records in an `<info>` response. A registry with keys shows keys; their DS records are ours, with SHA-256. */
export function dsRecordsOf(extension: XmlElement | undefined, name: string): readonly DsRecord[] {
  const data = childOf(extension, SECDNS, 'infData');
  return [
    ...childrenOf(data, SECDNS, 'dsData').map(dsOf),
    ...childrenOf(data, SECDNS, 'keyData').map((key) => dsRecordOf(name, keyOf(key))),
  ];
}

function dsData({ keyTag, algorithm, digestType, digest }: DsRecord): XmlElement {
  return secDNS('dsData', [
    secDNS('keyTag', String(keyTag)),
    secDNS('alg', String(algorithm)),
    secDNS('digestType', String(digestType)),
    secDNS('digest', digest),
  ]);
}

/** @throws TypeError for a DS record without its key */
function keyData({ key }: DsRecord): XmlElement {
  if (!key) throw new TypeError('the key of a DS record is missing');
  return secDNS('keyData', [
    secDNS('flags', String(key.flags)),
    secDNS('protocol', '3'),
    secDNS('alg', String(key.algorithm)),
    secDNS('pubKey', key.publicKey),
  ]);
}

function dsOf(element: XmlElement): DsRecord {
  const key = childOf(element, SECDNS, 'keyData');
  return {
    keyTag: numberIn(element, 'keyTag'),
    algorithm: numberIn(element, 'alg'),
    digestType: numberIn(element, 'digestType'),
    digest: (tokenOf(childOf(element, SECDNS, 'digest')) ?? '').replaceAll(' ', '').toUpperCase(),
    ...(key && { key: keyOf(key) }),
  };
}

function keyOf(element: XmlElement): DnsKey {
  return {
    flags: numberIn(element, 'flags'),
    algorithm: numberIn(element, 'alg'),
    publicKey: (tokenOf(childOf(element, SECDNS, 'pubKey')) ?? '').replaceAll(' ', ''),
  };
}

/** @throws ProtocolError */
function numberIn(element: XmlElement, name: string): number {
  const text = tokenOf(childOf(element, SECDNS, name)) ?? '';
  if (!/^\d{1,5}$/.test(text)) throw new ProtocolError('DNSSEC data with an invalid number');
  return Number(text);
}
