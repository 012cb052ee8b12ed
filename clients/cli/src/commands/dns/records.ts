import type { AddRecord, DnsRecord, EditRecords } from '../../../../typescript/src/namewright.ts';
import { collect } from '../../program/collect.ts';
import { command } from '../../program/command.ts';
import type { Session } from '../../program/session.ts';
import { UsageError } from '../../program/usage-error.ts';
import { editRecords, WRITE_OPTIONS } from './edit-records.ts';
import { contentOf, recordOf } from './record-text.ts';

const TTL = {
  type: 'string',
  value: 'SECONDS',
  description: 'the TTL (3600; a record that exists keeps its own)',
} as const;
const NAME = 'NAME is relative to the zone; @ is the zone itself.';

export const listRecords = command({
  name: 'records list',
  arguments: ['ZONE'],
  summary: 'list the records of a zone',
  options: {
    type: { type: 'string', value: 'TYPE', description: 'only of this type' },
    name: { type: 'string', value: 'NAME', description: 'only of this name, relative to the zone' },
  },
  examples: ['namewright records list my-name.com', 'namewright records list my-name.com --type MX --json'],
  run: async (session, [zone = ''], { type, name }) => {
    const filters = { ...(type !== undefined && { type: recordType(type) }), ...(name !== undefined && { name }) };
    const id = await zoneId(session, zone);
    const query = { limit: 500, ...filters };
    const records = await collect(session.client.listRecordsOfZone.items({ path: { id }, query }));
    const rows = records.map((each) => [each.name, String(each.ttl), each.type, contentOf(each), each.comment ?? '']);
    session.showTable(records, ['NAME', 'TTL', 'TYPE', 'CONTENT', 'COMMENT'], rows, 'No records.');
  },
});

export const addRecords = command({
  name: 'records add',
  arguments: ['ZONE', 'NAME', 'TYPE', 'CONTENT…'],
  summary: 'add records of one name and type',
  details: [`${NAME} MX and SRV have their numbers first, as in a zone file: "10 mail.example.net".`],
  options: { ttl: TTL, ...WRITE_OPTIONS },
  examples: [
    'namewright records add my-name.com www A 192.0.2.1 192.0.2.2 --ttl 300',
    'namewright records add my-name.com @ MX "10 mail.example.net" --dry-run',
  ],
  run: async (session, [zone = '', name = '', type = '', ...contents], values) => {
    const records = contents.map((content) => draft(name, type, content, values.ttl));
    const id = await zoneId(session, zone);
    await editRecords(session, { id, zone, edit: { create: records }, values });
  },
});

export const setRecords = command({
  name: 'records set',
  arguments: ['ZONE', 'NAME', 'TYPE', 'CONTENT…'],
  summary: 'make these the only records of one name and type',
  details: [`${NAME} Run twice, it changes nothing the second time.`],
  options: { ttl: TTL, ...WRITE_OPTIONS },
  examples: ['namewright records set my-name.com www A 192.0.2.7'],
  run: async (session, [zone = '', name = '', type = '', ...contents], values) => {
    const drafts = contents.map((content) => draft(name, type, content, values.ttl));
    const { id, records, etag } = await recordsAt(session, zone, name, type);
    await editRecords(session, { id, zone, edit: difference(records, drafts), etag, values });
  },
});

export const removeRecords = command({
  name: 'records rm',
  arguments: ['ZONE', 'NAME', 'TYPE', '[CONTENT…]'],
  summary: 'remove records of one name and type',
  details: [`${NAME} Without CONTENT, all of the name and type. Shows them and asks.`],
  options: { yes: { type: 'boolean', description: 'do not ask' }, ...WRITE_OPTIONS },
  examples: ['namewright records rm my-name.com www A --yes'],
  run: async (session, [zone = '', name = '', type = '', ...contents], values) => {
    const { id, records, etag } = await recordsAt(session, zone, name, type);
    const unknown = contents.find((content) => !records.some((each) => contentOf(each) === content));
    const missing = unknown ?? (records.length === 0 ? '' : undefined);
    if (missing !== undefined) throw new UsageError(`${zone} has no record ${name} ${type} ${missing}`.trimEnd());
    const chosen = records.filter((each) => contents.length === 0 || contents.includes(contentOf(each)));
    const edit = { delete: chosen.map((each) => each.id) };
    const question = `Remove ${chosen.length === 1 ? 'this record' : `these ${chosen.length} records`} of ${zone}?`;
    await editRecords(session, { id, zone, edit, etag, values, question });
  },
});

export async function zoneId(session: Session, name: string): Promise<string> {
  return (await session.client.getZoneByName({ path: { name } })).id;
}

/** With the version of the zone, so that nothing is changed that came in between. */
async function recordsAt(session: Session, zone: string, name: string, type: string) {
  const id = await zoneId(session, zone);
  const query = { name, type: recordType(type) };
  const { data, headers } = await session.client.listRecordsOfZone({ path: { id }, query }, { envelope: true });
  return { id, records: data, etag: headers.etag };
}

function draft(name: string, type: string, content: string, ttl: string | undefined): AddRecord {
  if (ttl !== undefined && !/^\d+$/.test(ttl)) throw new UsageError(`${ttl} is not a TTL in seconds`);
  const known = recordType(type);
  return { name, type: known, ...recordOf(known, content), ...(ttl !== undefined && { ttl: Number(ttl) }) };
}

/** The service says which types it knows. */
function recordType(text: string): AddRecord['type'] {
  return text.toUpperCase() as AddRecord['type'];
}

/** Keeps what is the same, and changes records before it adds or removes some. */
function difference(records: readonly DnsRecord[], drafts: readonly AddRecord[]): EditRecords {
  const missing = drafts.filter((each) => !records.some((record) => isSame(record, each)));
  const surplus = records.filter((record) => !drafts.some((each) => isSame(record, each)));
  const replaced = surplus.slice(0, missing.length).map(({ id }, index) => ({ id, ...missing[index] }));
  const withTtl = drafts.flatMap(({ ttl, ...each }) => {
    const record = records.find((one) => isSame(one, each));
    return record && ttl !== undefined && record.ttl !== ttl ? [{ id: record.id, ttl }] : [];
  });
  return {
    create: missing.slice(replaced.length),
    update: [...replaced, ...withTtl],
    delete: surplus.slice(replaced.length).map(({ id }) => id),
  };
}

function isSame(record: DnsRecord, { content, priority = null, weight, port }: AddRecord): boolean {
  const { content: own, priority: ownPriority, weight: ownWeight, port: ownPort } = record;
  return own === content && ownPriority === priority && ownWeight === weight && ownPort === port;
}
