import type { AddRecord, DnsRecord, PlannedRecord } from '../../../../typescript/src/namewright.ts';

/** The content as a zone file has it: `10 mail.example.net`. */
export function contentOf({ priority, weight, port, content }: PlannedRecord | DnsRecord): string {
  return [priority, weight, port, content].filter((each) => each !== null && each !== undefined).join(' ');
}

/** The members of a record of this type: MX and SRV have their numbers before the name, as in a zone file. */
export function recordOf(type: string, text: string): Pick<AddRecord, 'content' | 'priority' | 'weight' | 'port'> {
  const mx = /^(\d+)\s+(\S+)$/.exec(text);
  if (type === 'MX' && mx) return { priority: Number(mx[1]), content: mx[2] ?? '' };
  const srv = /^(\d+)\s+(\d+)\s+(\d+)\s+(\S+)$/.exec(text);
  if (type === 'SRV' && srv)
    return { priority: Number(srv[1]), weight: Number(srv[2]), port: Number(srv[3]), content: srv[4] ?? '' };
  return { content: text };
}
