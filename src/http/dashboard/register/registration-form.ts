import type { RegisterDomainCommand } from '../../../application/registration/register-domain';
import type { Requester } from '../../../domain/access/actor';
import type { DomainState } from '../../../domain/registration/domain';
import type { OperationRequest } from '../../../domain/registration/operations/operation-request';
import { readField } from '../form-fields';
import type { FormValues } from '../layout/forms/forms';
import { readRegistrant, toRegistrantValues } from '../registrant/registrant-fields';
import type { DashboardRequest } from '../dashboard-route';

/** Names of one order. */
export const MAX_ORDERED = 20;

/** The order of the form. Without nameservers, the service's own are used. */
export function readOrder(req: Pick<DashboardRequest, 'body'>): Omit<RegisterDomainCommand, keyof Requester> {
  const idnLanguage = readField(req, 'idn_language');
  const hosts = readHosts(readField(req, 'nameservers'));
  return {
    name: readField(req, 'name'),
    years: readNumber(readField(req, 'years')),
    autoRenew: readField(req, 'auto_renew') === 'on',
    registrant: readRegistrant(req),
    ...(hosts.length > 0 && { nameservers: hosts }),
    ...(idnLanguage !== '' && { idnLanguage }),
  };
}

/** The submitted fields, to show them again: some of the order's own, and all of the registrant's. */
export function readValues(req: Pick<DashboardRequest, 'body'>, fields: readonly string[]): FormValues {
  const own = Object.fromEntries(fields.map((name) => [name, readField(req, name)]));
  return { ...own, ...toRegistrantValues(readRegistrant(req)) };
}

/** The fields of an order that was made before. */
export function orderValues(
  { name, autoRenew, nameservers, registrant }: DomainState,
  { years, idnLanguage = '' }: Pick<Extract<OperationRequest, { kind: 'register' }>, 'years' | 'idnLanguage'>,
): FormValues {
  return {
    name,
    years: String(years),
    auto_renew: autoRenew ? 'on' : '',
    nameservers: nameservers.join('\n'),
    idn_language: idnLanguage,
    ...(registrant && toRegistrantValues(registrant)),
  };
}

/** Host names separated by whitespace or commas. */
export function readHosts(text: string): string[] {
  return text.split(/[\s,]+/).filter((host) => host !== '');
}

/** Returns NaN, which fails validation, for text that is not an integer. */
export function readNumber(text: string): number {
  return /^-?\d{1,9}$/.test(text.trim()) ? Number(text.trim()) : Number.NaN;
}
