import type { HostedName } from '../dns/hosted-name';
import { sameDay } from '../shared/time/calendar';
import { DomainName } from '../shared/domain-name';
import {
  assertAllowed,
  isHosted,
  isUnregistered,
  isZoneServed,
  refusalOf,
  assertTransition,
  assertPath,
  type DomainAction,
  type DomainStatus,
} from './domain-status';
import {
  hostedName,
  NO_TRANSFER,
  NOTHING_DUE,
  PROVEN,
  requestedName,
  takenOver,
  NO_REGISTRATION,
  type HeldDomain,
  type KeptZone,
  type NewDomain,
  type NewHostedName,
} from './new-domain';
import type { Registrant } from './registrant';
import {
  adoptedRegistration,
  confirmedRegistration,
  foundRegistration,
  type ConfirmedFacts,
  type RegisteredState,
} from './registered-state';
import type { RegistryFacts } from './registry-facts';

export interface DomainState extends RegisteredState {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** Null if the registry does not show it and it was not entered yet (imported domains). */
  readonly registrant: Registrant | null;
  /** When the next lifecycle check is due. */
  readonly dueAt: Date | null;
  /** Null unless the database was restored from a backup since. */
  readonly inBackup: ExpiryInBackup | null;
  /** Null: the zone ends with the registration. */
  readonly keptZone: KeptZone | null;
  /** The account's own, in alphabetical order. */
  readonly tags: readonly string[];
  /** When the name came to the account; a registration of a name whose zone is here keeps it. */
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a restored backup knew of a domain whose later orders it may lack. */
export interface ExpiryInBackup {
  readonly expiresAt: Date;
  /** Until then, a request from after the backup may be repeated with an Idempotency-Key that is lost. */
  readonly repeatsUntil: Date;
}

/** A domain of an account: the account's settings and the last known state at the registry. */
export class Domain {
  private constructor(private state: DomainState) {}

  /**
   * A registration that the registry has not confirmed yet. The transfer lock is on from the start. @param hosted the name, if the
   * account hosts its zone: it keeps its id and tags, and turns back if the registration fails
   */
  static request(request: NewDomain, now: Date, hosted?: Domain): Domain {
    return new Domain({ ...requestedName(request, now), ...takenOver(hosted?.state, now), updatedAt: now });
  }

  /**
   * Adopts a name with the state that the registry reports, its expiry included: years that the registry added are paid.
   * Automatic renewal stays with the registrar if it renews the domain, so that nothing is paid twice. @param hosted as for `request`
   */
  static fromRegistry(held: HeldDomain, facts: RegistryFacts, now: Date, hosted?: Domain): Domain {
    const found = foundRegistration(facts, now);
    return new Domain({
      ...found,
      id: held.id,
      accountId: held.accountId,
      name: held.name.value,
      autoRenew: held.autoRenew ?? found.autoRenew,
      registrant: held.registrant,
      dueAt: null,
      inBackup: null,
      ...takenOver(hosted?.state, now),
      ...(hosted && { keptZone: PROVEN }),
      updatedAt: now,
    });
  }

  /** A name without a registration. Its switches are as they filter least: it has none. */
  static host(name: NewHostedName, now: Date): Domain {
    return new Domain({ ...hostedName(name), tags: [], createdAt: now, updatedAt: now });
  }

  /** The account has proven that the hosted name is its own. */
  verify(now: Date): void {
    assertTransition(this.state.status, 'hosted');
    this.change({ status: 'hosted', dueAt: now }, now);
  }

  static fromState(state: DomainState): Domain {
    return new Domain(state);
  }

  get id(): string {
    return this.state.id;
  }

  get accountId(): string {
    return this.state.accountId;
  }

  get name(): DomainName {
    return DomainName.fromState(this.state.name);
  }

  get status(): DomainStatus {
    return this.state.status;
  }

  /** Whether the name has a zone here and no registration. */
  get isHosted(): boolean {
    return isHosted(this.state.status);
  }

  /** Whether another registrar sponsors the domain now, or it was deleted: its zone may be here still. */
  get hasLeft(): boolean {
    return isUnregistered(this.status);
  }

  /** Whether a transfer to another registrar was pending at the last check. */
  get transferPending(): boolean {
    return this.state.transferPending;
  }

  get transferLocked(): boolean {
    return this.state.transferLocked;
  }

  get expiresAt(): Date {
    return this.state.expiresAt;
  }

  /** Creation date at the registry, or ours until the registry reports it. */
  get registeredAt(): Date {
    return this.state.registeredAt ?? this.state.createdAt;
  }

  get hostedName(): HostedName {
    const { id, accountId, name, tags, nameservers, status } = this.state;
    const immutableBecause = refusalOf(status, 'change DNS records');
    return {
      id,
      accountId,
      name,
      tags,
      nameservers,
      isRegistered: !isHosted(status),
      isServed: isZoneServed(this.state),
      immutableBecause,
    };
  }

  /** @throws DomainStatusConflict that lists the allowed actions. */
  assertAllows(action: DomainAction): void {
    assertAllowed(this.state.status, action);
  }

  /** Applies the registry's confirmation of the registration. */
  confirm(facts: ConfirmedFacts, now: Date): void {
    assertTransition(this.state.status, 'active');
    const keptZone = this.state.keptZone && PROVEN;
    this.change({ ...confirmedRegistration(this.state, facts), keptZone }, now);
  }

  delegateTo(nameservers: readonly string[], now: Date): void {
    if (nameservers.join() !== this.state.nameservers.join()) this.change({ nameservers }, now);
  }

  changeRegistrant(registrant: Registrant, now: Date): void {
    this.change({ registrant }, now);
  }

  setTransferLock(transferLocked: boolean, now: Date): void {
    this.change({ transferLocked }, now);
  }

  setAutoRenew(autoRenew: boolean, now: Date): void {
    this.change({ autoRenew }, now);
  }

  /** Whether the zone stays when the name is no longer registered here. */
  get keepsZone(): boolean {
    return this.state.keptZone !== null;
  }

  setKeepZone(keepZone: boolean, now: Date): void {
    if (keepZone !== this.keepsZone) this.change({ keptZone: keepZone ? PROVEN : null }, now);
  }

  /** Another account has proven to own the name: its zone is not served until the account proves it, too. */
  withdraw(now: Date): void {
    assertTransition(this.state.status, 'unverified');
    this.change({ status: 'unverified' }, now);
  }

  /** @param tags as `parseTags` returns them */
  setTags(tags: readonly string[], now: Date): void {
    this.change({ tags }, now);
  }

  /** Another account has it from now on; tags are of the one that had it. */
  moveTo(accountId: string, now: Date): void {
    this.change({ accountId, tags: [] }, now);
  }

  /** Records whether the registrar renews the domain by itself. */
  setRegistrarRenews(registrarRenews: boolean, now: Date): void {
    this.change({ registrarRenews }, now);
  }

  extendTo(expiresAt: Date, now: Date): void {
    assertTransition(this.state.status, 'active');
    const { inBackup, expiresAt: former } = this.state;
    const lacksOrders = inBackup !== null && !sameDay(inBackup.expiresAt, former);
    this.change({ expiresAt, status: 'active', inBackup: lacksOrders ? inBackup : null }, now);
  }

  /** Whether an order may repeat one that a restored backup lacks. */
  mayRepeatOrder(now: Date): boolean {
    const { inBackup } = this.state;
    return inBackup !== null && inBackup.repeatsUntil > now;
  }

  /** Whether an order that may be repeated now has changed the expiry. */
  wasExtendedSinceBackup(now: Date): boolean {
    const { inBackup, expiresAt } = this.state;
    return inBackup !== null && this.mayRepeatOrder(now) && !sameDay(inBackup.expiresAt, expiresAt);
  }

  /** Adopts the state at the registry, which may be several transitions ahead. */
  adopt(facts: RegistryFacts, now: Date): void {
    const adopted = adoptedRegistration(this.state, facts, now);
    assertPath(this.state.status, adopted.status);
    this.change(adopted, now);
  }

  /**
   * The registry no longer has the domain. A zone that is kept stays; of another one, what the account's other zones keep for it is due
   * to be removed. Does nothing if the registration has ended already, of which a registry may tell again.
   */
  markDeleted(now: Date): void {
    if (!this.isHosted) this.end('gone', now);
  }

  /** Another registrar sponsors the domain now. As `markDeleted` otherwise. */
  markTransferredOut(now: Date): void {
    if (!this.isHosted) this.end('transferred_out', now);
  }

  /** The account no longer has the zone of a name without a registration. */
  removeZone(now: Date): void {
    assertTransition(this.state.status, 'gone');
    this.end('gone', now);
  }

  /** Another registrar can accept the domain. */
  markReleased(now: Date): void {
    this.change({ transferPending: true, transferRequestedAt: now, transferEndsAt: null }, now);
  }

  private end(status: 'gone' | 'transferred_out', now: Date): void {
    const { keptZone, nameservers } = this.state;
    assertPath(this.state.status, keptZone?.status ?? status);
    if (keptZone) {
      const hosted = { status: keptZone.status, nameservers: keptZone.nameservers ?? nameservers };
      return this.change({ ...NO_REGISTRATION, ...hosted, ...NOTHING_DUE, ...NO_TRANSFER, dueAt: now }, now);
    }
    this.change({ status, ...NOTHING_DUE, ...NO_TRANSFER, dueAt: now }, now);
  }

  recordRenewalAttempt(now: Date): void {
    this.state = { ...this.state, renewalTriedAt: now };
  }

  /** Records when the current auth code expires; null if none is valid. */
  setAuthCodeUntil(authCodeUntil: Date | null): void {
    this.state = { ...this.state, authCodeUntil };
  }

  /** Sets when the next lifecycle check is due. */
  schedule(dueAt: Date | null): void {
    this.state = { ...this.state, dueAt };
  }

  toState(): DomainState {
    return this.state;
  }

  private change(part: Partial<DomainState>, now: Date): void {
    this.state = { ...this.state, ...part, updatedAt: now };
  }
}
