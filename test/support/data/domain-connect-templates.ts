import { ALL_TYPES } from '../../../src/domain/dns/records/types/record-types';
import type { RecordMaking } from '../../../src/domain/domain-connect/templates/resolve-template';

/** A template of Domain Connect as JSON. */
export function templateJson(records: readonly unknown[], members: Readonly<Record<string, unknown>> = {}): unknown {
  return {
    providerId: 'provider.example',
    providerName: 'Provider',
    serviceId: 'web',
    serviceName: 'Web site',
    records,
    ...members,
  };
}

/** Makes records with the ids `new1`, `new2`, … */
export function recordMaking(): RecordMaking {
  let made = 0;
  return { types: ALL_TYPES, newId: () => `new${++made}`, now: new Date('2026-11-28T00:00:00Z') };
}
