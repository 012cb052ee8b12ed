import type { HostOutcome } from '../../../application/dns/dynamic/update-hosts';

const REPLIES: Record<HostOutcome['kind'], string> = {
  changed: 'good',
  unchanged: 'nochg',
  not_found: 'nohost',
  invalid_name: 'notfqdn',
  refused: 'dnserr',
  failed: '911',
};

/** The line that replies for one host: `good 192.0.2.1`. Undefined is a host that is no full domain name. */
export function replyLine(outcome: HostOutcome | undefined): string {
  if (!outcome) return REPLIES.invalid_name;
  const reply = REPLIES[outcome.kind];
  return 'addresses' in outcome ? `${reply} ${outcome.addresses.join(',')}` : reply;
}
