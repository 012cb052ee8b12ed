import type { InstanceRecord, InstanceSpf } from '../../../domain/domain-connect/applied-instance';
import { actor } from '../access/actor-column';
import { bigint, digest, flag, instant, json, key, longText, named, nullable, varchar } from '../database/columns';
import { table, type RowOf } from '../database/table';

/** The templates that the operator has read. */
export const ConnectTemplateTable = table('connect_templates', {
  provider_id: key(varchar(200)),
  service_id: key(varchar(200)),
  provider_name: varchar(255),
  service_name: varchar(255),
  /** Whether requests must be signed. */
  is_signed: flag(),
  template_version: nullable(bigint()),
  /** JSON, as the operator gave it. */
  template: longText('mediumtext'),
  digest: digest(),
  changed_at: instant(),
});
export type ConnectTemplateRow = RowOf<typeof ConnectTemplateTable>;

/** The providers that the operator has switched on or off. */
export const ConnectProviderTable = table('connect_providers', {
  provider_id: key(varchar(200)),
  is_on: flag(),
  changed_at: instant(),
});
export type ConnectProviderRow = RowOf<typeof ConnectProviderTable>;

export const ConnectedServiceTable = table(
  'connected_services',
  {
    id: key(varchar(40)),
    account_id: varchar(40),
    domain_id: varchar(40),
    provider_id: varchar(200),
    service_id: varchar(200),
    provider_name: varchar(255),
    service_name: varchar(255),
    host: varchar(253),
    /** Null: all groups of the template. */
    group_ids: named('groups', nullable(json<readonly string[]>())),
    records: json<readonly InstanceRecord[]>(longText('mediumtext')),
    spf: json<readonly InstanceSpf[]>(longText('mediumtext')),
    /** Of the zone, after the service was connected. */
    zone_version: bigint(),
    connected_by: actor(),
    connected_at: instant(),
  },
  { indices: { connected_services_of_domain: ['domain_id', 'connected_at', 'id'] } },
);
export type ConnectedServiceRow = RowOf<typeof ConnectedServiceTable>;
