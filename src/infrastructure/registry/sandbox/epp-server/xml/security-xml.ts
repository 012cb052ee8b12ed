import { dsRecordOf, isSameDsRecord, type DsRecord } from '../../../../../domain/dns/delegation/ds-record';
import { distinct } from '../../../../../domain/shared/text/distinct';
import { NAMESPACES } from '../../../epp/codec/namespaces';
import { childOf, childrenOf, elementFactory, type XmlElement } from '../../../epp/codec/xml-element';
import { detailsOf, type Registration } from '../../simulated/registration';
import { EppError } from '../epp-error';
import type { DsRecordsAre } from '../personalities/personality';
import { required } from './epp-request';

const SECDNS = NAMESPACES.secDNS;
const secDNS = elementFactory(SECDNS);
const MAX_DS_RECORDS = 13;
/** A key of RFC 4034 section 2: base64 in groups of four. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** `<secDNS:infData>` of a signed name. */
export function securityData(registration: Registration, dsRecordsAre: DsRecordsAre): XmlElement | undefined {
  const { ds } = detailsOf(registration);
  const element = dsRecordsAre === 'ds' ? dsData : keyData;
  return ds.length > 0 ? secDNS('infData', ds.map(element)) : undefined;
}

/** The DS records in `<secDNS:create>`, `<add>` or `<rem>` of a name. @throws EppError */
export function dsRecordsOf(
  parent: XmlElement | undefined,
  name: string,
  dsRecordsAre: DsRecordsAre,
): readonly DsRecord[] {
  const [wanted, other] = dsRecordsAre === 'ds' ? (['dsData', 'keyData'] as const) : (['keyData', 'dsData'] as const);
  if (childOf(parent, SECDNS, other)) throw new EppError(2306, `DNSSEC takes ${wanted} here, no ${other}`);
  const elements = childrenOf(parent, SECDNS, wanted);
  if (elements.length > MAX_DS_RECORDS) throw new EppError(2306, `No more than ${MAX_DS_RECORDS} at a time`);
  const dsRecords = elements.map((element) =>
    dsRecordsAre === 'ds' ? dsOf(element) : dsRecordOf(name, keyOf(element)),
  );
  if (distinct(dsRecords, isSameDsRecord).length < dsRecords.length)
    throw new EppError(2306, `A ${wanted} is given twice`);
  return dsRecords;
}

function dsData({ keyTag, algorithm, digestType, digest }: DsRecord): XmlElement {
  return secDNS('dsData', [
    secDNS('keyTag', String(keyTag)),
    secDNS('alg', String(algorithm)),
    secDNS('digestType', String(digestType)),
    secDNS('digest', digest),
  ]);
}

function keyData({ key, algorithm }: DsRecord): XmlElement {
  return secDNS('keyData', [
    secDNS('flags', String(key?.flags ?? 0)),
    secDNS('protocol', '3'),
    secDNS('alg', String(algorithm)),
    secDNS('pubKey', key?.publicKey ?? ''),
  ]);
}

function dsOf(element: XmlElement): DsRecord {
  const digest = required(element, SECDNS, 'digest').toUpperCase();
  if (!/^(?:[0-9A-F]{2})+$/.test(digest)) throw new EppError(2005, 'A digest is hexadecimal');
  return {
    keyTag: numberIn(element, 'keyTag', 65_535),
    algorithm: numberIn(element, 'alg', 255),
    digestType: numberIn(element, 'digestType', 255),
    digest,
  };
}

function keyOf(element: XmlElement): NonNullable<DsRecord['key']> {
  const publicKey = required(element, SECDNS, 'pubKey').replaceAll(' ', '');
  if (!BASE64.test(publicKey)) throw new EppError(2005, 'A key is base64');
  if (numberIn(element, 'protocol', 255) !== 3) throw new EppError(2306, 'The protocol of a key is 3');
  return { flags: numberIn(element, 'flags', 65_535), algorithm: numberIn(element, 'alg', 255), publicKey };
}

function numberIn(parent: XmlElement, name: string, max: number): number {
  const text = required(parent, SECDNS, name);
  if (!/^\d{1,5}$/.test(text) || Number(text) > max) throw new EppError(2005, `${name} is a number up to ${max}`);
  return Number(text);
}
