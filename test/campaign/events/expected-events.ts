/** An event as the feed shows it. */
export interface FeedEvent {
  readonly id: string;
  readonly position: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>> & { readonly domain?: { readonly name: string } };
}

/** A change that a client has made, with the events that it must have. */
export interface MadeChange {
  readonly events: readonly string[];
  readonly sentAt: number;
  readonly respondedAt: number;
}

const MAX_SHOWN = 5;

/** What is particular to an event; changes of one domain that are alike have the same text. */
export function signatureOf({ type, data }: FeedEvent): string {
  const name = data.domain?.name ?? '';
  if (type === 'records.changed') return `${type} ${name} ${recordsOf(data)}`;
  if (type.startsWith('operation.')) return `${type} ${name} ${String(data['kind'])}`;
  if (type === 'domain.changed') return `${type} ${name} ${JSON.stringify(data['after'])}`;
  if (type === 'domain.renewed') return `${type} ${name} ${(data['after'] as { expires_at: string }).expires_at}`;
  if (type.startsWith('key.') || type.startsWith('template.'))
    return `${type} ${String(data['name'] ?? data['key_id'])}`;
  return `${type} ${name}`;
}

function recordsOf({ added, changed, removed }: FeedEvent['data']): string {
  const after = (changed as { readonly after: object }[]).map((each) => each.after);
  return `+${contentsOf(added)} ~${contentsOf(after)} -${contentsOf(removed)}`;
}

function contentsOf(records: unknown): string {
  return (records as { readonly content: string }[]).map(({ content }) => content).join();
}

/** Of an account: each change has its events once, there are no others, and what came first is first. */
export function feedDifferences(feed: readonly FeedEvent[], changes: readonly MadeChange[]): readonly string[] {
  const waiting = new Map<string, MadeChange[]>();
  for (const change of changes.toSorted((one, other) => one.sentAt - other.sentAt))
    for (const event of change.events) waiting.set(event, [...(waiting.get(event) ?? []), change]);
  const failures: string[] = [];
  let latest: { readonly change: MadeChange; readonly event: string } | undefined;
  for (const [index, event] of feed.entries()) {
    if (event.position !== index + 1) failures.push(`the event at place ${index + 1} has position ${event.position}`);
    const signature = signatureOf(event);
    const change = waiting.get(signature)?.shift();
    if (!change) {
      failures.push(`no change has the event ${signature}`);
      continue;
    }
    if (latest && change.respondedAt < latest.change.sentAt)
      failures.push(`${signature} comes after ${latest.event}, which was sent after its response`);
    if (!latest || change.sentAt > latest.change.sentAt) latest = { change, event: signature };
  }
  for (const [signature, left] of waiting)
    if (left.length > 0) failures.push(`the feed lacks ${signature}${left.length > 1 ? ` ${left.length} times` : ''}`);
  return [...failures, ...versionGaps(feed)].slice(0, MAX_SHOWN);
}

/** The changes of a zone are in the order of its versions. */
function versionGaps(feed: readonly FeedEvent[]): readonly string[] {
  const versions = new Map<string, number>();
  return feed.flatMap(({ type, data }) => {
    if (type !== 'records.changed') return [];
    const name = data.domain?.name ?? '';
    const [before, version] = [versions.get(name), Number(data['version'])];
    versions.set(name, version);
    return before === undefined || version > before ? [] : [`${name}: version ${version} comes after ${before}`];
  });
}
