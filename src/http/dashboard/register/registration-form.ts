import type { RegisterDomainCommand } from '../../../application/registration/register-domain';
import type { Requester } from '../../../domain/access/actor';
import { field } from '../form-fields';
import { readRegistrant } from '../registrant/registrant-fields';
import type { DashboardRequest } from '../visitor';

/** What the form asks for; no nameservers mean those of the service. */
export function readOrder(req: Pick<DashboardRequest, 'body'>): Omit<RegisterDomainCommand, keyof Requester> {
  const hosts = readHosts(field(req, 'nameservers'));
  return {
    name: field(req, 'name'),
    years: readNumber(field(req, 'years')),
    autoRenew: field(req, 'auto_renew') === 'on',
    registrant: readRegistrant(req),
    ...(hosts.length > 0 && { nameservers: hosts }),
  };
}

/** One a line, or with blanks or commas between them. */
export function readHosts(text: string): string[] {
  return text.split(/[\s,]+/).filter((host) => host !== '');
}

/** NaN, which no rule accepts, for what is no whole number. */
export function readNumber(text: string): number {
  return /^-?\d{1,9}$/.test(text.trim()) ? Number(text.trim()) : Number.NaN;
}
