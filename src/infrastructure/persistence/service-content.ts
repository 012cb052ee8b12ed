import type { EntitySchema } from 'typeorm';
import * as access from './access/access-tables';
import * as proposals from './access/proposals/proposal-tables';
import * as trust from './access/proposals/trust-tables';
import * as factors from './access/factor-tables';
import type { DatabaseContent } from './database/data-source';
import { InitialSchema1796027000000 } from './migrations/1796027000000-initial-schema';
import { BulkZoneFiles1796100600000 } from './migrations/1796100600000-bulk-zone-files';
import { DueNamesByStatus1796100700000 } from './migrations/1796100700000-due-names-by-status';
import * as connect from './domain-connect/connect-tables';
import * as dns from './dns/dns-tables';
import * as dnssec from './dns/dnssec/dnssec-tables';
import * as events from './events/event-tables';
import * as notices from './notices/notice-tables';
import * as portfolio from './portfolio/portfolio-tables';
import * as health from './health/health-table';
import * as processes from './process-tables';
import * as registrar from './registration/registrar-tables';
import * as registration from './registration/registration-tables';
import * as webhooks from './webhooks/webhook-tables';
import * as templates from './templates/template-tables';

export const SERVICE_TABLES: readonly EntitySchema[] = [
  access,
  events,
  notices,
  factors,
  proposals,
  trust,
  registration,
  registrar,
  dns,
  dnssec,
  connect,
  portfolio,
  templates,
  webhooks,
  health,
  processes,
].flatMap((tables) => Object.values<EntitySchema>(tables));
/** The service's own tables, and the migrations that create them: append only, in their order. */
export const SERVICE_CONTENT: DatabaseContent = {
  entities: [...SERVICE_TABLES],
  migrations: [InitialSchema1796027000000, BulkZoneFiles1796100600000, DueNamesByStatus1796100700000],
};
