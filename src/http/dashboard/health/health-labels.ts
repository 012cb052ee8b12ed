import type { KeyAction } from '../../../domain/access/key-limits';
import type { CheckId, CheckState, HealthAction } from '../../../domain/health/health-check';
import type { Tone } from '../layout/components';

/** The badge of each state. */
export const STATE_LABELS: Readonly<Record<CheckState, { readonly label: string; readonly tone: Tone }>> = {
  problem: { label: 'problem', tone: 'bad' },
  warning: { label: 'warning', tone: 'warning' },
  unknown: { label: 'not fully checked', tone: 'plain' },
  ok: { label: 'healthy', tone: 'good' },
  not_applicable: { label: 'not applicable', tone: 'plain' },
};

/** The badge of one check or server. */
export function checkLabel(state: CheckState): string {
  if (state === 'unknown') return 'unknown';
  return state === 'ok' ? 'OK' : STATE_LABELS[state].label;
}

export const CHECK_TITLES: Readonly<Record<CheckId, string>> = {
  delegation: 'Delegation',
  nameservers: 'Nameservers',
  resolution: 'Resolution',
  dnssec: 'DNSSEC',
  mx: 'Mail servers (MX)',
  spf: 'SPF',
  dmarc: 'DMARC',
  caa: 'CAA',
  cname_targets: 'CNAME targets',
  expiry: 'Expiry',
  transfer_lock: 'Transfer lock',
};

/** Pages below a domain that solve what a check found. The other actions are buttons. */
export const ACTION_LINKS: Readonly<
  Partial<Record<HealthAction, readonly [path: string, label: string, needs: KeyAction]>>
> = {
  change_nameservers: ['nameservers', 'Change nameservers', 'settings'],
  edit_records: ['records', 'Edit records', 'write'],
  change_dnssec: ['dnssec', 'Open DNSSEC', 'read'],
  renew: ['renew', 'Renew', 'renew'],
  restore: ['restore', 'Restore', 'renew'],
};
