import { expect, it } from '@jest/globals';
import type { RegistryDomain } from '../application/ports/registry/registry-port';
import type { RegistryAdapter } from '../infrastructure/registry/registry-adapter';
import type { DomainName } from '../domain/registration/domain-name';
import type { LifecyclePeriods } from '../domain/registration/tld-policy';
import type { Ability } from './registry-contract';
import { freshId, freshName, register } from './registry-fixtures';
import { controlOf, type ChangingCommand, type TestControl, type TestControls } from './test-controls';

export interface LifecycleUnderTest {
  readonly registry: RegistryAdapter;
  readonly controls?: TestControls;
}

export interface LifecycleOptions {
  readonly tld: string;
  readonly lacks: readonly Ability[];
  readonly controls: readonly TestControl[];
}

/** Names in every phase of their lives, at a vendor whose test system lets a test bring it about. */
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
    if (!policy) throw new TypeError(`.${this.tld} is not served`);
    return policy.periods;
  }

  /** `it`, or `it.skip` where the vendor does not have what the rule needs. */
  rule(needed: readonly TestControl[], ability?: Ability): typeof it | typeof it.skip {
    const { controls, lacks } = this.options;
    return needed.every((hand) => controls.includes(hand)) && !(ability && lacks.includes(ability)) ? it : it.skip;
  }

  async advance(days: number): Promise<void> {
    await controlOf(this.subject().controls, 'advance')(days);
  }

  /** By another registrar. Answers whether it was accepted. */
  async requestTransfer(name: DomainName, code: string): Promise<boolean> {
    return controlOf(this.subject().controls, 'requestTransfer')(name, code);
  }

  /** Has `command` take effect and its answer get lost. */
  async loseAnswer(name: DomainName, command: ChangingCommand, call: () => Promise<unknown>): Promise<void> {
    await controlOf(this.subject().controls, 'loseNextAnswer')(name, command);
    await expect(call()).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });
  }

  async held(name: DomainName): Promise<RegistryDomain> {
    const facts = await this.registry.info(name);
    if (!facts) throw new TypeError(`${name.value} is held by nobody`);
    return facts;
  }

  async aName(): Promise<DomainName> {
    const name = freshName(this.tld);
    await register(this.registry, name);
    return name;
  }

  /** Past its add grace period. */
  async anOldName(): Promise<DomainName> {
    const name = await this.aName();
    await this.advance(this.periods.addGrace + 1);
    return name;
  }

  /** As a registry has it that keeps the year it added until the account decides. */
  async anExpiredName(): Promise<DomainName> {
    const name = await this.aName();
    await this.advance(367);
    return name;
  }

  /** Unlocked, with a code. */
  async aNameToGo(): Promise<{ readonly name: DomainName; readonly code: string }> {
    const name = await this.aName();
    await this.registry.setTransferLock(name, false, freshId());
    const { code } = await this.registry.issueAuthCode(name, freshId());
    return { name, code };
  }
}
