import { setTimeout as sleep } from 'node:timers/promises';
import type { RandomWrite } from './proposal-writes';
import type { ProposingInstallation } from './proposing-installation';

export interface SeenRecord {
  readonly id: string | null;
  readonly name: string;
  readonly type: string;
  readonly content: string;
  readonly ttl: number;
  readonly priority?: number | null;
}

/** What writes of a domain can change. */
export interface DomainSnapshot {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly records: readonly SeenRecord[];
  readonly zoneVersion: number;
  readonly operations: number;
}

/** What a plan says about records and operations. */
export interface SeenPlan {
  readonly result?: RecordChanges & {
    readonly records?: RecordChanges;
    readonly operations?: readonly unknown[];
  };
  readonly operations?: readonly unknown[];
  /** Of the zone files of a bulk job. */
  readonly zones?: readonly RecordChanges[];
}

interface RecordChanges {
  readonly added?: readonly SeenRecord[];
  readonly changed?: readonly { readonly before: SeenRecord; readonly after: SeenRecord }[];
  readonly removed?: readonly SeenRecord[];
}

const SETTINGS = ['status', 'nameservers', 'auto_renew', 'transfer_locked', 'tags', 'expires_at'] as const;
const POLL_MS = 20;

/** Of a domain whose operations have ended. */
export async function readSnapshot(
  { replicas, admin }: Pick<ProposingInstallation, 'replicas' | 'admin'>,
  { id }: { readonly id: string },
): Promise<DomainSnapshot> {
  const read = (path: string) => replicas.send(admin, 'GET', path);
  const at = `/api/domains/${id}`;
  for (;;) {
    const operations = (await read(`${at}/operations`)).body as { finished_at: string | null }[];
    if (operations.every(({ finished_at: end }) => end !== null)) {
      const [domain, records] = await Promise.all([read(at), read(`${at}/dns/records`)]);
      const members = domain.body as Record<string, unknown>;
      return {
        settings: Object.fromEntries(SETTINGS.map((field) => [field, members[field]])),
        records: records.body as SeenRecord[],
        zoneVersion: Number(/\d+/.exec(records.headers.get('etag') ?? '')?.[0]),
        operations: operations.length,
      };
    }
    await sleep(POLL_MS);
  }
}

/** How the domain is to be once the plan is done. */
export function afterPlan(
  before: DomainSnapshot,
  plan: SeenPlan,
  { settings, jobOperations = 0 }: Pick<RandomWrite, 'settings' | 'jobOperations'>,
): DomainSnapshot {
  const { added = [], changed = [], removed = [] } = plan.zones?.[0] ?? plan.result?.records ?? plan.result ?? {};
  const gone = new Set([...removed, ...changed.map(({ before: old }) => old)].map(({ id }) => id));
  const kept = before.records.filter(({ id }) => !gone.has(id));
  const changes = added.length + changed.length + removed.length;
  return {
    settings: { ...before.settings, ...settings },
    records: [...kept, ...added, ...changed.map(({ after }) => after)],
    // Its NS records at the apex are those of the delegation.
    zoneVersion: before.zoneVersion + (changes > 0 || 'nameservers' in settings ? 1 : 0),
    operations: before.operations + jobOperations + (plan.operations ?? plan.result?.operations ?? []).length,
  };
}

/** Records by what is in DNS: those that are added have another id in the plan. */
export function textOf({ records, ...rest }: DomainSnapshot): string {
  const lines = records.map(({ name, type, content, ttl, priority }) =>
    [name, ttl, type, priority ?? '', content].join(' '),
  );
  return JSON.stringify({ ...rest, records: lines.toSorted() });
}
