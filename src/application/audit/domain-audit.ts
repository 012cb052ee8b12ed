import { SERVICE, type Actor } from '../../domain/access/actor';
import type { EventFact } from '../../domain/access/events/account-event';
import { difference, type AuditAction, type AuditFact, type AuditFacts } from '../../domain/access/audit-entry';
import type { DomainState } from '../../domain/registration/domain';
import { isHosted } from '../../domain/registration/domain-status';
import { SETTING_PATHS, type SettingName } from '../../domain/portfolio/desired-state';

interface DomainChange {
  readonly at: Date;
  readonly actor: Actor;
  readonly action: AuditAction;
  /** Absent for a new domain. */
  readonly before?: DomainState | undefined;
  readonly after: DomainState;
}

/** Records the values that differ. */
export function domainChanged({ at, actor, action, before, after }: DomainChange): AuditFact {
  const domain = { id: after.id, name: after.name };
  return {
    at,
    actor,
    action,
    accountId: after.accountId,
    domain,
    subject: null,
    ...difference(before ? factsOf(before) : {}, factsOf(after, isHosted((before ?? after).status))),
  };
}

/** @param wasHosted whether the name had no registration before */
function factsOf(
  { status, expiresAt, autoRenew, registrarRenews, ...others }: DomainState,
  wasHosted = true,
): AuditFacts {
  const { transferLocked, nameservers, registrant, keptZone, tags } = others;
  if (isHosted(status) || (wasHosted && status === 'gone'))
    return { status, nameservers, ...(tags.length > 0 && { tags }) };
  return {
    status,
    expiresAt: expiresAt.toISOString(),
    autoRenew,
    ...(registrarRenews && { registrarRenews }),
    transferLocked,
    nameservers,
    registrant,
    ...(keptZone && { keepZone: true }),
    ...(tags.length > 0 && { tags }),
  };
}

/** The event of settings that were changed past the desired state of the name, beside the event that has their values. */
export function settingsDrifted(
  { id, name, accountId }: DomainState,
  settings: readonly SettingName[],
  actor: Actor,
  at: Date,
): EventFact {
  const data = { settings: settings.map((each) => SETTING_PATHS[each]), link: `/api/domains/by-name/${name}/state` };
  return { accountId, at, actor, type: 'domain.drifted', domain: { id, name }, data };
}

/** The event of a transfer to another registrar that the registry shows for the first time. No audit entry has it: no member of the domain changes. */
export function transferRequestedElsewhere(before: DomainState, after: DomainState, at: Date): readonly EventFact[] {
  if (before.transferPending || !after.transferPending) return [];
  const { id, name, accountId, transferRequestedAt, transferEndsAt } = after;
  return [
    {
      accountId,
      at,
      actor: SERVICE,
      type: 'domain.transfer_out_requested',
      domain: { id, name },
      data: {
        requested_at: transferRequestedAt?.toISOString() ?? null,
        ends_at: transferEndsAt?.toISOString() ?? null,
      },
    },
  ];
}
