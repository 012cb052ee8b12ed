import { quantityText } from '../../../domain/shared/text/quantity-text';
import type { KeyAction } from '../../../domain/access/key-limits';
import type { BulkAction, BulkDomainAction } from '../../../domain/portfolio/bulk-job';

interface ActionLabel {
  readonly kind: BulkDomainAction['kind'] | 'csv';
  /** What a role needs for it. */
  readonly needs: KeyAction;
  /** In the list of actions. */
  readonly label: string;
  /** The heading of its page and its button, before the number of domains. */
  readonly verb: string;
}

/** What the domain list offers for the selected domains. */
export const ACTION_LABELS = {
  nameservers: { kind: 'nameservers', needs: 'settings', label: 'Change nameservers', verb: 'Change nameservers of' },
  'auto-renewal-on': {
    kind: 'auto_renewal',
    needs: 'settings',
    label: 'Turn auto-renewal on',
    verb: 'Turn auto-renewal on for',
  },
  'auto-renewal-off': {
    kind: 'auto_renewal',
    needs: 'settings',
    label: 'Turn auto-renewal off',
    verb: 'Turn auto-renewal off for',
  },
  lock: {
    kind: 'transfer_lock',
    needs: 'settings',
    label: 'Turn transfer lock on',
    verb: 'Turn the transfer lock on for',
  },
  unlock: {
    kind: 'transfer_lock',
    needs: 'settings',
    label: 'Turn transfer lock off',
    verb: 'Turn the transfer lock off for',
  },
  renew: { kind: 'renewal', needs: 'renew', label: 'Renew', verb: 'Renew' },
  registrant: { kind: 'registrant', needs: 'settings', label: 'Change registrant', verb: 'Change the registrant of' },
  template: { kind: 'template', needs: 'write', label: 'Apply record template', verb: 'Apply a record template to' },
  tags: { kind: 'tags', needs: 'settings', label: 'Change tags', verb: 'Change tags of' },
  csv: { kind: 'csv', needs: 'read', label: 'Export CSV', verb: 'Export' },
} as const satisfies Readonly<Record<string, ActionLabel>>;
export type ActionName = keyof typeof ACTION_LABELS;

/** Whether people whose role is for some tags may not do it. */
export function needsEveryDomain(name: string): boolean {
  return name === ('tags' satisfies ActionName);
}

/** Whether it changes what only a registration has. */
export function isOfRegistrations(name: ActionName): boolean {
  return !(['template', 'tags', 'csv'] satisfies ActionName[] as ActionName[]).includes(name);
}

/** Whether what the form changes is shown before it is confirmed. Renewals show it beside their price. */
export function isReviewed(name: ActionName): name is 'nameservers' | 'template' {
  return name === 'nameservers' || name === 'template';
}

export function isActionName(text: string): text is ActionName {
  return Object.hasOwn(ACTION_LABELS, text);
}

/** Of jobs that do not begin in the domain list. */
const OTHERS: Readonly<Record<Exclude<BulkAction, BulkDomainAction>['kind'], string>> = {
  transfer: 'Transfer domains here',
  registration: 'Register domains',
  zone_files: 'Import zone files',
};

/** “Change nameservers”, for a list of jobs. */
export function describeAction(action: BulkAction): string {
  if (action.kind === 'transfer' || action.kind === 'registration' || action.kind === 'zone_files')
    return OTHERS[action.kind];
  return ACTION_LABELS[actionNameOf(action)].label;
}

/** What the action sets, if it is not the same for every job of its kind. */
export function describeSettings(action: BulkAction): string | undefined {
  if (action.kind === 'nameservers') return action.hosts.join(', ');
  if (action.kind === 'renewal' && action.years !== undefined) return quantityText(action.years, 'year');
  if (action.kind === 'zone_files')
    return action.mode === 'replace'
      ? 'Each zone gets the records of its file, in place of those that it has'
      : 'The records of the files are added to those that the zones have';
  if (action.kind !== 'tags') return undefined;
  const parts = [
    ['Added', action.add],
    ['Removed', action.remove],
  ] as const;
  return parts.flatMap(([verb, tags]) => (tags.length > 0 ? `${verb}: ${tags.join(', ')}` : [])).join('. ');
}

/** The action of `ACTION_LABELS` that a job carries out. */
export function actionNameOf(action: BulkDomainAction): ActionName {
  if (action.kind === 'auto_renewal') return action.autoRenew ? 'auto-renewal-on' : 'auto-renewal-off';
  if (action.kind === 'transfer_lock') return action.locked ? 'lock' : 'unlock';
  return action.kind === 'renewal' ? 'renew' : action.kind;
}

export function countDomains(count: number): string {
  return quantityText(count, 'domain');
}
