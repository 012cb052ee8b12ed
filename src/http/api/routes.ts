import type { Scope } from '../../domain/access/scope';
import type { ApiHandler } from './caller';
import type { DomainsController } from './controllers/domains-controller';
import type { RecordsController } from './controllers/records-controller';
import type { RegistrationController } from './controllers/registration-controller';
import type { SettingsController } from './controllers/settings-controller';

export type Route = readonly [method: 'get' | 'post' | 'put' | 'delete', path: string, scope: Scope, handler: ApiHandler];

interface Controllers {
  readonly domains: DomainsController;
  readonly registration: RegistrationController;
  readonly settings: SettingsController;
  readonly records: RecordsController;
}

/** The interface at a glance, below /api. */
export function apiRoutes({ domains, registration, settings, records }: Controllers): readonly Route[] {
  return [
    ['get', '/domains', 'READ', domains.list],
    ['post', '/domains', 'WRITE', registration.register],
    ['get', '/domains/by-name/:name', 'READ', domains.readByName],
    ['post', '/domains/search', 'READ', registration.search],
    ['post', '/domains/quote', 'READ', registration.quote],
    ['get', '/domains/:id', 'READ', domains.read],
    ['put', '/domains/:id/nameservers', 'WRITE', settings.putNameservers],
    ['put', '/domains/:id/contacts', 'WRITE', settings.putContacts],
    ['put', '/domains/:id/autorenew', 'WRITE', settings.putAutoRenewal],
    ['put', '/domains/:id/transfer-lock', 'WRITE', settings.putTransferLock],
    ['post', '/domains/:id/auth-code', 'WRITE', settings.postAuthCode],
    ['post', '/domains/:id/renew', 'WRITE', registration.renew],
    ['get', '/domains/:id/dns/records', 'READ', records.list],
    ['post', '/domains/:id/dns/records', 'WRITE', records.add],
    ['put', '/domains/:id/dns/records/:recordId', 'WRITE', records.change],
    ['delete', '/domains/:id/dns/records/:recordId', 'WRITE', records.remove],
  ];
}
