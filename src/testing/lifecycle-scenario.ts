import { expect, it } from '@jest/globals';
import type { RegistryDomain } from '../application/ports/registry/registry-port';
import type { RegistryAdapter } from '../infrastructure/registry/registry-adapter';
import type { DomainName } from '../domain/registration/domain-name';
import type { LifecyclePeriods, RegistryFeature } from '../domain/registration/tld-policy';
import { freshId, freshName, register } from './registry-fixtures';
import { requireControl, type ChangingCommand, type TestControl, type TestControls } from './test-controls';

export interface LifecycleUnderTest {
  readonly registry: RegistryAdapter;
  readonly controls?: TestControls;
}

export interface LifecycleOptions {
  readonly tld: string;
  readonly unsupported: readonly RegistryFeature[];
  readonly controls: readonly TestControl[];
}

/** Brings names into each lifecycle phase with the vendor's test controls. */
export class LifecycleScenario {
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

  get periods(): LifecyclePeriods {
    const policy = this.registry.policies().find(({ suffix }) => suffix === this.tld);
    if (!policy) throw new TypeError(`.${this.tld} is not in policies()`);
    return policy.periods;
  }

  /** `it`, or `it.skip` if the vendor lacks a control or the feature. */
  rule(needed: readonly TestControl[], feature?: RegistryFeature): typeof it | typeof it.skip {
    const { controls, unsupported } = this.options;
    const isSupported = feature === undefined || !unsupported.includes(feature);
    return isSupported && needed.every((control) => controls.includes(control)) ? it : it.skip;
  }

  async advance(days: number): Promise<void> {
    await requireControl(this.subject().controls, 'advance')(days);
  }

  /** As another registrar. Returns whether the registry accepted it. */
  async requestTransfer(name: DomainName, code: string): Promise<boolean> {
    return requireControl(this.subject().controls, 'requestTransfer')(name, code);
  }

  /** Runs `call`, whose `command` takes effect while its response is lost. */
  async loseResponse(name: DomainName, command: ChangingCommand, call: () => Promise<unknown>): Promise<void> {
    await requireControl(this.subject().controls, 'loseNextResponse')(name, command);
    await expect(call()).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });
  }

  async infoOf(name: DomainName): Promise<RegistryDomain> {
    const facts = await this.registry.info(name);
    if (!facts) throw new TypeError(`${name.value} is not registered`);
    return facts;
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

  /** Unlocked, with its auth code. */
  async aTransferableName(): Promise<{ readonly name: DomainName; readonly code: string }> {
    const name = await this.aName();
    await this.registry.setTransferLock(name, false, freshId());
    const { code } = await this.registry.issueAuthCode(name, freshId());
    return { name, code };
  }
}
