import type { Command } from '../program/command.ts';
import { completion } from './account/completion.ts';
import { events } from './account/events.ts';
import { createKey, keys, revokeKey } from './account/keys.ts';
import { login } from './account/login.ts';
import { mcp } from './account/mcp.ts';
import { whoami } from './account/whoami.ts';
import { exportZone } from './dns/export.ts';
import { drift } from './dns/drift.ts';
import { apply, plan } from './dns/plan.ts';
import { addRecords, listRecords, removeRecords, setRecords } from './dns/records.ts';
import { createZone, zones } from './dns/zones.ts';
import { domains } from './names/domains.ts';
import { health } from './names/health.ts';
import { register } from './names/register.ts';
import { renew } from './names/renew.ts';
import { quote, search } from './names/search.ts';
import { transfer } from './names/transfer.ts';

/** In the order of the help; their examples work one after another. */
export const COMMANDS: readonly Command[] = [
  login,
  whoami,
  search,
  quote,
  register,
  domains,
  zones,
  createZone,
  listRecords,
  addRecords,
  setRecords,
  removeRecords,
  plan,
  apply,
  drift,
  exportZone,
  renew,
  transfer,
  events,
  keys,
  createKey,
  revokeKey,
  health,
  mcp,
  completion(() => COMMANDS),
];
