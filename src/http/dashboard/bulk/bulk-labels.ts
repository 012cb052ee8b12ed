import type { BulkAction, BulkKind } from '../../../domain/portfolio/bulk-job';

interface ActionLabel {
  readonly kind: BulkKind | 'csv';
  /** In the list of actions. */
  readonly label: string;
  /** The heading of its page and its button, before the number of domains. */
  readonly verb: string;
}

/** What the domain list offers for the selected domains. */
export const ACTION_LABELS = {
  nameservers: { kind: 'nameservers', label: 'Change nameservers', verb: 'Change nameservers of' },
  'auto-renewal-on': { kind: 'auto_renewal', label: 'Turn auto-renewal on', verb: 'Turn auto-renewal on for' },
  'auto-renewal-off': { kind: 'auto_renewal', label: 'Turn auto-renewal off', verb: 'Turn auto-renewal off for' },
  lock: { kind: 'transfer_lock', label: 'Turn transfer lock on', verb: 'Turn the transfer lock on for' },
  unlock: { kind: 'transfer_lock', label: 'Turn transfer lock off', verb: 'Turn the transfer lock off for' },
  renew: { kind: 'renewal', label: 'Renew', verb: 'Renew' },
  registrant: { kind: 'registrant', label: 'Change registrant', verb: 'Change the registrant of' },
  template: { kind: 'template', label: 'Apply record template', verb: 'Apply a record template to' },
  tags: { kind: 'tags', label: 'Change tags', verb: 'Change tags of' },
  csv: { kind: 'csv', label: 'Export CSV', verb: 'Export' },
} as const satisfies Readonly<Record<string, ActionLabel>>;
export type ActionName = keyof typeof ACTION_LABELS;

export function isActionName(text: string): text is ActionName {
  return Object.hasOwn(ACTION_LABELS, text);
}

/** “Change nameservers”, for a list of jobs. */
export function describeAction(action: BulkAction): string {
  if (action.kind === 'auto_renewal')
    return ACTION_LABELS[action.autoRenew ? 'auto-renewal-on' : 'auto-renewal-off'].label;
  if (action.kind === 'transfer_lock') return ACTION_LABELS[action.locked ? 'lock' : 'unlock'].label;
  return ACTION_LABELS[action.kind === 'renewal' ? 'renew' : action.kind].label;
}

export function countDomains(count: number): string {
  return count === 1 ? '1 domain' : `${count} domains`;
}
