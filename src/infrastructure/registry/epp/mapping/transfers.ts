import type { RegistryTransfer } from '../../../../application/ports/registry/registry-transfers';
import { DomainName } from '../../../../domain/shared/domain-name';
import type { Money } from '../../../../domain/shared/money';
import { NAMESPACES } from '../codec/namespaces';
import { childOf, elementFactory, tokenOf, type XmlElement } from '../codec/xml-element';
import { epp, query, transform, type EppCommand } from './commands/command';
import { aLabelsOf, instantOf } from './data-types';
import { agreedFee, chargedFee } from './fee';
import { ProtocolError } from './protocol-error';
import type { EppResponse } from './response';
import { RESULT } from './result-codes';

const DOMAIN = NAMESPACES.domain;
const domain = elementFactory(DOMAIN);

/** The trStatus of RFC 5730 section 2.9.3.4. */
const STATES: ReadonlyMap<string, RegistryTransfer['status']> = new Map([
  ['pending', 'pending'],
  ['clientApproved', 'completed'],
  ['serverApproved', 'completed'],
  ['clientRejected', 'rejected'],
  ['clientCancelled', 'cancelled'],
  ['serverCancelled', 'cancelled'],
]);

export type EppTransferDecision = 'cancel' | 'approve' | 'reject';

/** The latest transfer of a name. */
export function queryTransfer(name: string): EppCommand {
  return query('domain:transfer:query', transferElement('query', [domain('name', name)]), {
    expected: [RESULT.notSponsor, RESULT.invalidAuthCode, RESULT.noTransferPending, RESULT.missing],
  });
}

/** Without `years` the registry does not let a request name a term, without `authCode` it asks for none. `price` is the agreed price, if the registry supports the fee extension. */
export function requestTransfer(
  name: string,
  years: number | undefined,
  authCode: string | undefined,
  price: Money | undefined,
): EppCommand {
  const parts = [
    domain('name', name),
    ...(years === undefined ? [] : [domain('period', String(years), { unit: 'y' })]),
    ...(authCode === undefined ? [] : [domain('authInfo', domain('pw', authCode))]),
  ];
  return transform('domain:transfer:request', transferElement('request', parts), {
    extensions: [price && agreedFee('transfer', price)],
  });
}

export function decideTransfer(name: string, decision: EppTransferDecision): EppCommand {
  return transform(`domain:transfer:${decision}`, transferElement(decision, [domain('name', name)]));
}

/** `content` is the profile's. */
export function releaseDomain(content: XmlElement): EppCommand {
  return transform('domain:release', epp('update', content));
}

/**
 * The transfer in a response, undefined if it is neither to nor from us.
 * @param timeZone of dates without an offset
 * @throws ProtocolError for a response without a transfer, or with an unknown status
 */
export function transferOf(
  { resData, extension }: Pick<EppResponse, 'resData' | 'extension'>,
  clientId: string,
  agreed?: Money,
  timeZone?: string,
): RegistryTransfer | undefined {
  const data = childOf(resData, DOMAIN, 'trnData');
  const [name, state] = [text(data, 'name'), text(data, 'trStatus')];
  const status = STATES.get(state ?? '');
  if (!data || name === undefined || !status) throw new ProtocolError('transfer response without a known status');
  const direction = text(data, 'reID') === clientId ? 'in' : text(data, 'acID') === clientId ? 'out' : undefined;
  if (!direction) return undefined;
  const actionDate = text(data, 'acDate');
  const charged = direction === 'in' ? chargedFee(extension, 'trnData', agreed) : undefined;
  return {
    name: DomainName.fromState(aLabelsOf(name)),
    direction,
    status,
    requestedAt: instantOf(text(data, 'reDate'), timeZone),
    ...(status === 'pending' && actionDate !== undefined && { endsAt: instantOf(actionDate, timeZone) }),
    ...(charged && { charged }),
  };
}

function transferElement(op: string, parts: readonly XmlElement[]): XmlElement {
  return epp('transfer', domain('transfer', parts), { op });
}

function text(data: XmlElement | undefined, name: string): string | undefined {
  return tokenOf(childOf(data, DOMAIN, name));
}
