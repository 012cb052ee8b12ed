import type { AuditAction } from '../../../domain/access/audit-entry';

/** Groups of actions, as the filter of the activity page offers them. */
const TITLES = {
  records: 'DNS records',
  zones: 'Zones',
  domains: 'Registrations',
  settings: 'Settings of domains',
  dnssec: 'DNSSEC',
  transfers: 'Transfers',
  bulk: 'Bulk changes',
  templates: 'Record templates',
  proposals: 'Proposals',
  keys: 'API keys',
  webhooks: 'Webhooks',
  people: 'People',
  account: 'Account',
} as const;
type Group = keyof typeof TITLES;

const ACTIONS: Readonly<Record<AuditAction, readonly [group: Group, label: string]>> = {
  'proposal.created': ['proposals', 'Proposed'],
  'proposal.accepted': ['proposals', 'Accepted'],
  'proposal.rejected': ['proposals', 'Rejected'],
  'proposal.withdrawn': ['proposals', 'Withdrawn'],
  'proposal.stale': ['proposals', 'Found stale'],
  'move.proposed': ['transfers', 'Move to another account offered'],
  'move.rejected': ['transfers', 'Move to another account rejected'],
  'move.withdrawn': ['transfers', 'Move to another account withdrawn'],
  'domain.moved_in': ['transfers', 'Moved here from another account'],
  'domain.moved_out': ['transfers', 'Moved to another account'],
  'proposal.failed': ['proposals', 'Refused after it was accepted'],
  'proposal.expired': ['proposals', 'Expired'],
  'records.added': ['records', 'Records added'],
  'records.changed': ['records', 'Records changed'],
  'records.removed': ['records', 'Records deleted'],
  'zone.changed': ['records', 'Several changes at once'],
  'service.connected': ['records', 'Service connected'],
  'service.disconnected': ['records', 'Service disconnected'],
  'zone.update_refused': ['records', 'Dynamic update refused'],
  'zone.created': ['zones', 'Zone created'],
  'zone.verified': ['zones', 'Ownership of a zone proved'],
  'zone.domain_connect_changed': ['zones', 'Domain Connect switched'],
  'zone.deleted': ['zones', 'Zone deleted'],
  'zone.withdrawn': ['zones', 'Zone withdrawn'],
  'domain.keep_zone_changed': ['zones', 'Zone kept or not after a registration'],
  'domain.requested': ['domains', 'Registration ordered'],
  'domain.registered': ['domains', 'Registered'],
  'domain.imported': ['domains', 'Imported'],
  'domain.refused': ['domains', 'Registration refused'],
  'domain.renewed': ['domains', 'Renewed'],
  'domain.restored': ['domains', 'Restored'],
  'domain.deleted': ['domains', 'Deleted'],
  'domain.synchronized': ['domains', 'Updated from the registry'],
  'domain.registry_message': ['domains', 'Message of the registry'],
  'operation.settled': ['domains', 'Unknown outcome decided'],
  'domain.nameservers_changed': ['settings', 'Nameservers'],
  'domain.registrant_changed': ['settings', 'Registrant'],
  'domain.registrant_refused': ['settings', 'Registrant refused'],
  'domain.auto_renewal_changed': ['settings', 'Auto-renewal'],
  'domain.transfer_lock_changed': ['settings', 'Transfer lock'],
  'domain.tags_changed': ['settings', 'Tags'],
  'domain.glue_changed': ['settings', 'Nameserver addresses'],
  'domain.dnssec_changed': ['dnssec', 'DNSSEC'],
  'domain.ds_changed': ['dnssec', 'DS records at the registry'],
  'domain.cds_refused': ['dnssec', 'DS records refused'],
  'transfer.requested': ['transfers', 'Transfer here ordered'],
  'transfer.cancellation_requested': ['transfers', 'Cancellation requested'],
  'transfer.ended': ['transfers', 'Transfer here ended'],
  'domain.transferred_in': ['transfers', 'Transferred here'],
  'domain.auth_code_issued': ['transfers', 'Auth code issued'],
  'domain.auth_code_withdrawn': ['transfers', 'Auth code withdrawn'],
  'domain.transfer_approved': ['transfers', 'Transfer out approved'],
  'domain.transfer_rejected': ['transfers', 'Transfer out rejected'],
  'domain.released': ['transfers', 'Released to a registrar'],
  'bulk.started': ['bulk', 'Bulk change started'],
  'bulk.retried': ['bulk', 'Bulk change retried'],
  'bulk.finished': ['bulk', 'Bulk change finished'],
  'import.finished': ['domains', 'Import finished'],
  'template.created': ['templates', 'Record template created'],
  'template.changed': ['templates', 'Record template changed'],
  'template.removed': ['templates', 'Record template deleted'],
  'key.created': ['keys', 'API key created'],
  'key.revoked': ['keys', 'API key revoked'],
  'trust_rule.created': ['keys', 'Trust rule created'],
  'trust_rule.changed': ['keys', 'Trust rule changed'],
  'trust_rule.removed': ['keys', 'Trust rule removed'],
  'webhook.created': ['webhooks', 'Webhook created'],
  'webhook.changed': ['webhooks', 'Webhook changed'],
  'webhook.removed': ['webhooks', 'Webhook removed'],
  'webhook.switched_off': ['webhooks', 'Webhook switched off'],
  'webhook.tested': ['webhooks', 'Webhook tested'],
  'webhook.resent': ['webhooks', 'Event sent again'],
  'user.invited': ['people', 'Invited'],
  'user.joined': ['people', 'Joined'],
  'user.removed': ['people', 'Removed'],
  'user.role_changed': ['people', 'Role changed'],
  'user.link_issued': ['people', 'Set-up link created'],
  'user.link_revoked': ['people', 'Set-up link revoked'],
  'user.link_used': ['people', 'Set-up link used'],
  'user.password_set': ['people', 'Password set'],
  'user.passkey_added': ['people', 'Passkey added'],
  'user.passkey_removed': ['people', 'Passkey removed'],
  'user.identity_linked': ['people', 'Sign-in provider linked'],
  'user.identity_unlinked': ['people', 'Sign-in provider unlinked'],
  'user.totp_added': ['people', 'Authenticator app added'],
  'user.totp_removed': ['people', 'Authenticator app removed'],
  'user.recovery_codes_created': ['people', 'Recovery codes created'],
  'user.recovery_code_used': ['people', 'Recovery code used'],
  'user.factors_reset': ['people', 'Second factors reset'],
  'account.created': ['account', 'Account created'],
  'account.changed': ['account', 'Account changed'],
};
const LABELED = Object.entries(ACTIONS) as [AuditAction, (typeof ACTIONS)[AuditAction]][];

interface ActionGroup {
  readonly value: Group;
  readonly title: string;
  readonly actions: readonly { readonly value: AuditAction; readonly label: string }[];
}

export const ACTION_GROUPS: readonly ActionGroup[] = (Object.keys(TITLES) as Group[]).map((group) => ({
  value: group,
  title: TITLES[group],
  actions: LABELED.filter(([, [own]]) => own === group).map(([value, [, label]]) => ({ value, label })),
}));

/** The actions that a value of the filter stands for: a group, or one action. Undefined if it stands for none. */
export function actionsOf(value: string): readonly AuditAction[] | undefined {
  const actions = LABELED.filter(([action, [group]]) => group === value || action === value);
  return actions.length === 0 ? undefined : actions.map(([action]) => action);
}

/** Of a group, or of one action; the value itself if it stands for neither. */
export function labelOf(value: string): string {
  const group = ACTION_GROUPS.find((each) => each.value === value);
  const action = ACTION_GROUPS.flatMap(({ actions }) => actions).find((each) => each.value === value);
  return group?.title ?? action?.label ?? value;
}
