import { settingsChangedBy, type SettingName } from '../../../domain/portfolio/desired-state';
import { SERVICE, type Actor } from '../../../domain/access/actor';
import type { EventFact } from '../../../domain/access/events/account-event';
import type { ZoneSigning } from '../../../domain/dns/dnssec/zone-signing';
import type { DomainState } from '../../../domain/registration/domain';
import type { ChangedSettings } from '../../../application/desired-state/settle-setting-drift';

/** Collects the settings that a unit of work changes and a desired state can have. */
export class SettingChanges {
  private readonly changed = new Map<string, readonly SettingName[]>();
  private readonly actors = new Map<string, Actor>();
  private readonly signed = new Map<string, boolean>();

  byDomain(): readonly ChangedSettings[] {
    return [...this.changed].map(([domainId, names]) => ({
      domainId,
      names,
      actor: this.actors.get(domainId) ?? SERVICE,
    }));
  }

  noteChange(before: DomainState, after: DomainState): void {
    this.note(after.id, settingsChangedBy(before, after));
  }

  /** As it is stored before changes of it. */
  rememberSigning({ domainId, isWanted }: ZoneSigning): void {
    if (!this.signed.has(domainId)) this.signed.set(domainId, isWanted);
  }

  noteSigning(domainId: string, isWanted: boolean): void {
    if ((this.signed.get(domainId) ?? false) !== isWanted) this.note(domainId, ['dnssec']);
  }

  /** Whether only settings differ from the state is found out. */
  noteSettledRecords(domainId: string): void {
    this.changed.set(domainId, this.changed.get(domainId) ?? []);
  }

  /** The event of a change says who made it. */
  noteActor({ domain, actor }: EventFact): void {
    if (domain) this.actors.set(domain.id, actor);
  }

  private note(domainId: string, names: readonly SettingName[]): void {
    if (names.length > 0) this.changed.set(domainId, [...(this.changed.get(domainId) ?? []), ...names]);
  }
}
