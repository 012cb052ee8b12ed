import type { ZoneSigning } from '../../../domain/dns/dnssec/zone-signing';
import { changesSetting } from '../../../domain/portfolio/desired-state';
import type { DomainState } from '../../../domain/registration/domain';

/** Collects the domains of which a unit of work changes settings that a desired state can have. */
export class SettingChanges {
  private readonly changed = new Set<string>();
  private readonly signed = new Map<string, boolean>();

  get domainIds(): readonly string[] {
    return [...this.changed];
  }

  noteChange(before: DomainState, after: DomainState): void {
    if (changesSetting(before, after)) this.changed.add(after.id);
  }

  /** As it is stored before changes of it. */
  rememberSigning({ domainId, isWanted }: ZoneSigning): void {
    if (!this.signed.has(domainId)) this.signed.set(domainId, isWanted);
  }

  noteSigning(domainId: string, isWanted: boolean): void {
    if ((this.signed.get(domainId) ?? false) !== isWanted) this.changed.add(domainId);
  }
}
