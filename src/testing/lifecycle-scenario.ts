import { expect, it } from '@jest/globals';
import type { RegistryDomain } from '../application/ports/registry/registry-port';
import type { RegistryAdapter } from '../infrastructure/registry/registry-adapter';
import type { DomainName } from '../domain/shared/domain-name';
import type { LifecyclePeriods, RegistryFeature, TldPolicy } from '../domain/registration/names/tld-policy';
import type { RegistryTransfer } from '../application/ports/registry/registry-transfers';
import type { RegistrationTerm } from '../domain/registration/registration-term';
import type { Money } from '../domain/shared/money';
import { freshId, freshName, register, REGISTRANT, shortestRenewal } from './registry-fixtures';
import {
  requireControl,
  type ChangingCommand,
  type ChargedKind,
  type NameElsewhere,
  type TestControl,
  type TestControls,
} from './test-controls';

export interface LifecycleUnderTest {
  readonly registry: RegistryAdapter;
  /** Opens the registry again, as after a kill of the service. */
  reopen(): Promise<void>;
  readonly controls?: TestControls;
}

export interface LifecycleOptions {
  readonly tld: string;
  readonly unsupported: readonly RegistryFeature[];
  readonly controls: readonly TestControl[];
}

/** Brings names into each lifecycle phase with the vendor's test controls. */
export class LifecycleScenario {
  private readonly elsewhere = new Map<string, NameElsewhere>();

  constructor(
    private readonly subject: () => LifecycleUnderTest,
    private readonly options: LifecycleOptions,
  ) {}

  get registry(): RegistryAdapter {
    return this.subject().registry;
  }

  get tld(): string {
    return this.options.tld;
  }

  get policy(): TldPolicy {
    const policy = this.registry.policies().find(({ suffix }) => suffix === this.tld);
    if (!policy) throw new TypeError(`.${this.tld} is not in policies()`);
    return policy;
  }

  get periods(): LifecyclePeriods {
    return this.policy.periods;
  }

  get shortestRenewal(): RegistrationTerm {
    return shortestRenewal(this.registry, this.tld);
  }

  /** The years that a transfer adds. */
  get transferTerm(): RegistrationTerm {
    return this.shortestRenewal;
  }

  /** `it`, or `it.skip` if the vendor lacks a control or a feature. */
  rule(needed: readonly TestControl[], ...features: readonly RegistryFeature[]): typeof it | typeof it.skip {
    const { controls, unsupported } = this.options;
    const isSupported = features.every((feature) => !unsupported.includes(feature));
    return isSupported && needed.every((control) => controls.includes(control)) ? it : it.skip;
  }

  has(feature: RegistryFeature): boolean {
    return !this.options.unsupported.includes(feature);
  }

  async advance(days: number): Promise<void> {
    await requireControl(this.subject().controls, 'advance')(days);
  }

  /** As another registrar. Returns whether the registry accepted it. */
  async requestTransfer(name: DomainName, code: string): Promise<boolean> {
    return requireControl(this.subject().controls, 'requestTransfer')(name, code);
  }

  /** An unlocked name at another registrar, or a locked one. */
  async aNameElsewhere({ locked = false } = {}): Promise<NameElsewhere> {
    const control = requireControl(this.subject().controls, 'nameElsewhere');
    const registered = await control({ tld: this.tld, locked });
    this.elsewhere.set(registered.name.value, registered);
    return registered;
  }

  /** The expiry of a name at another registrar, if the registry or the control shows it. */
  async registeredElsewhere(name: DomainName): Promise<{ readonly expiresAt: Date | undefined }> {
    const shown = (await this.infoOf(name)).expiresAt;
    return { expiresAt: this.elsewhere.get(name.value)?.expiresAt ?? (shown.getTime() > 0 ? shown : undefined) };
  }

  /** At the registry's price. */
  async requestTransferIn(
    name: DomainName,
    authCode: string,
    { price, idempotencyKey = freshId() }: { readonly price?: Money; readonly idempotencyKey?: string } = {},
  ): Promise<RegistryTransfer> {
    return this.registry.requestTransfer({
      name,
      term: this.transferTerm,
      registrant: REGISTRANT,
      authCode,
      price: price ?? (await this.registry.transferPrice(name)),
      transactionId: freshId(),
      idempotencyKey,
    });
  }

  async decideElsewhere(name: DomainName, decision: 'approve' | 'reject' | 'cancel'): Promise<void> {
    await requireControl(this.subject().controls, 'decideElsewhere')(name, decision);
  }

  /** Has the other registrar approve the transfer, unless it is complete already. */
  async completeTransferIn(name: DomainName): Promise<void> {
    if ((await this.registry.transferStatus(name))?.status === 'pending') await this.decideElsewhere(name, 'approve');
  }

  /** 0 without the control before completion, 1 after it. */
  async transferCharges(name: DomainName): Promise<number> {
    const control = this.subject().controls?.transferCharges?.bind(this.subject().controls);
    return control ? control(name) : Number((await this.registry.transferStatus(name))?.status === 'completed');
  }

  /** Runs `call`, whose `command` takes effect while its response is lost. */
  async loseResponse(name: DomainName, command: ChangingCommand, call: () => Promise<unknown>): Promise<void> {
    await requireControl(this.subject().controls, 'loseNextResponse')(name, command);
    await expect(call()).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });
  }

  /** Runs `during` while reads show `name` as it is now. */
  async whileReadsLag(name: DomainName, during: () => Promise<void>): Promise<void> {
    const catchUp = await requireControl(this.subject().controls, 'lagReads')(name);
    try {
      await during();
    } finally {
      await catchUp();
    }
  }

  async charges(name: DomainName, kind: ChargedKind): Promise<number> {
    return requireControl(this.subject().controls, 'charges')(name, kind);
  }

  async reopen(): Promise<void> {
    await this.subject().reopen();
  }

  async infoOf(name: DomainName): Promise<RegistryDomain> {
    const facts = await this.registry.info(name);
    if (!facts) throw new TypeError(`${name.value} is not registered`);
    return facts;
  }

  /** A registry without restores may have no redemption. */
  get phaseAfterDeletion(): unknown {
    return this.has('restore') ? 'redemption' : expect.stringMatching(/^(?:redemption|pending_delete)$/);
  }

  async isOurs(name: DomainName): Promise<boolean> {
    return (await this.registry.info(name))?.sponsoredByUs === true;
  }

  async aName(): Promise<DomainName> {
    const name = freshName(this.tld);
    await register(this.registry, name);
    return name;
  }

  async aNamePastAddGrace(): Promise<DomainName> {
    const name = await this.aName();
    await this.advance(this.periods.addGrace + 1);
    return name;
  }

  /** In auto-renew grace, at a registry that renews automatically. */
  async anExpiredName(): Promise<DomainName> {
    const name = await this.aName();
    await this.advance(367);
    return name;
  }

  /** At a registry that locks names. */
  async unlock(name: DomainName): Promise<void> {
    if (this.has('transfer_lock')) await this.registry.setTransferLock(name, false, freshId());
  }

  /** Unlocked, with its auth code. */
  async aTransferableName(): Promise<{ readonly name: DomainName; readonly code: string }> {
    const name = await this.aName();
    await this.unlock(name);
    const { code } = await this.registry.issueAuthCode(name, freshId());
    return { name, code };
  }
}
