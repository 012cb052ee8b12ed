import type { ProposalPlan } from '../../../domain/access/proposals/proposal';
import { ValidationError } from '../../../domain/shared/validation-error';
import type { ApiWrite } from '../../api/proposals/api-writes';
import { integer, list, object, optional, text, yes, type ValueOf } from '../../api/shape';
import { BOOLEAN, INTEGER, NUMBER, TEXT } from '../schema';
import type { Json, ToolCall } from '../tool-call';

const NAMED = { name: TEXT, type: TEXT, content: TEXT };
const NOTES = {
  ttl: optional(INTEGER),
  priority: optional(NUMBER),
  weight: optional(NUMBER),
  port: optional(NUMBER),
  comment: optional(TEXT),
};
const EDITED = { id: TEXT, name: optional(TEXT), type: optional(TEXT), content: optional(TEXT), ...NOTES };

export const CHANGE = object(
  {
    records: optional(
      object({
        create: optional(list(object({ ...NAMED, ...NOTES }), { most: 100 })),
        update: optional(list(object(EDITED), { most: 100 })),
        delete: optional(list(TEXT, { description: 'Ids', most: 100 })),
      }),
    ),
    nameservers: optional(list(TEXT, { most: 13 })),
    auto_renew: optional(BOOLEAN),
    transfer_locked: optional(BOOLEAN),
    dnssec: optional(BOOLEAN),
    tags: optional(list(TEXT, { most: 50 })),
    roll_back_to: optional(integer({ description: 'A version of the records' })),
    host_dns: optional(yes({ description: 'DNS here for a name registered elsewhere' })),
    delete: optional(yes({ description: 'Delete the registration, or the zone of a name without one' })),
  },
  { description: 'Exactly one member', hasOne: true },
);
export type Change = ValueOf<typeof CHANGE>;

/** The write of the API that makes the change. @throws ToolRefusal, ValidationError */
export async function writeOf(name: string, change: Change, call: ToolCall): Promise<ApiWrite> {
  const body = bodyOf(name, change);
  if (change.host_dns !== undefined) return { method: 'POST', path: '/api/zones', body };
  const { zone, domainId } = await call.resolve(name);
  const ofZone = `/api/zones/${String(zone['id'])}`;
  const ofDomain = domainId === undefined ? undefined : `/api/domains/${domainId}`;
  if (change.records) return { method: 'POST', path: `${ofZone}/dns/records/batch`, body };
  if (change.roll_back_to !== undefined)
    return { method: 'POST', path: `${ofZone}/dns/history/${change.roll_back_to}/restore`, body };
  if (change.delete !== undefined) return { method: 'DELETE', path: ofDomain ?? ofZone, body };
  const [setting = ''] = Object.keys(change);
  const base = setting in OF_ZONES ? (ofDomain ?? ofZone) : ofDomain;
  if (base === undefined)
    throw ValidationError.of('change', `${setting} needs a registration, and ${name} has none here`);
  return { method: 'PUT', path: `${base}/${{ ...OF_ZONES, ...OF_DOMAINS }[setting]}`, body };
}

/** Settings, by the paths of the API below a name. */
const OF_ZONES: Readonly<Record<string, string>> = { tags: 'tags', dnssec: 'dnssec' };
const OF_DOMAINS: Readonly<Record<string, string>> = {
  nameservers: 'nameservers',
  auto_renew: 'autorenew',
  transfer_locked: 'transfer-lock',
};

/** Undefined if the request has none. */
export function bodyOf(name: string, { records, dnssec, host_dns, ...change }: Change): object | undefined {
  if (host_dns !== undefined) return { name };
  if (records) return records;
  if (dnssec !== undefined) return { enabled: dnssec };
  return change.delete !== undefined || change.roll_back_to !== undefined ? undefined : change;
}

/** Without a record of these types, a name has no website or no mail, or another server has it. */
const CARRYING = new Set(['A', 'AAAA', 'ALIAS', 'CNAME', 'DNAME', 'DS', 'HTTPS', 'MX', 'NS', 'SVCB']);
/** What takes names over, also if it is new. */
const TAKING_OVER = new Set(['NS', 'DNAME', 'DS']);

/** Whether the change can take the name offline, or costs money later: a person has to confirm it. */
export function needsConfirmation(change: Change, plan: ProposalPlan): boolean {
  if (change.tags || change.host_dns !== undefined || change.transfer_locked === true) return false;
  // A plan that is stored shortened does not list all records.
  if (!change.records || plan['whole'] !== undefined) return true;
  const {
    added = [],
    changed = [],
    removed = [],
  } = plan['result'] as {
    readonly added?: readonly Json[];
    readonly changed?: readonly { readonly before: Json }[];
    readonly removed?: readonly Json[];
  };
  return (
    added.some((record) => isOf(TAKING_OVER, record)) ||
    [...removed, ...changed.map(({ before }) => before)].some((record) => isOf(CARRYING, record))
  );
}

function isOf(types: ReadonlySet<string>, record: Json): boolean {
  return types.has(String(record['type']));
}

/** What a person is asked, in words that no record or registrar can choose. */
export function questionOf(name: string, change: Change): string {
  const { records, nameservers, auto_renew, transfer_locked, dnssec, roll_back_to: version } = change;
  if (change.delete) return `Delete ${name}? Its registration ends, or its zone is removed.`;
  if (nameservers) return `Change the nameservers of ${name} to ${nameservers.join(', ')}?`;
  if (records) return `Change ${countOf(records)} DNS records of ${name}? Websites or mail may depend on them.`;
  if (version !== undefined) return `Set the DNS records of ${name} back to version ${version}?`;
  if (dnssec !== undefined) return `Switch DNSSEC of ${name} ${dnssec ? 'on' : 'off'}?`;
  if (auto_renew !== undefined)
    return auto_renew ? `Renew ${name} automatically from now on, at its price?` : `No longer renew ${name}?`;
  if (transfer_locked !== undefined) return `Open the transfer lock of ${name}?`;
  return `Change ${name}?`;
}

function countOf(records: object): number {
  return Object.values(records).reduce<number>((sum, each) => sum + (Array.isArray(each) ? each.length : 0), 0);
}

export const CHANGED_NAME = text({ description: 'A domain name of the account' });
