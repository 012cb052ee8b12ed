import { describe, expect, it } from '@jest/globals';
import type { RegistryMessage, RegistryPort } from '../application/ports/registry/registry-port';
import type { DomainName } from '../domain/registration/domain-name';
import type { LifecyclePeriods } from '../domain/registration/tld-policy';
import { addYears, sameDay } from '../domain/shared/calendar';
import { sum } from '../domain/shared/money';
import type { Ability } from './registry-contract';
import { freshId, freshName, register, years } from './registry-fixtures';
import { handOf, type ChangingCommand, type Hand, type VendorHands } from './vendor-hands';

interface LifeUnderTest {
  readonly registry: RegistryPort;
  readonly hands?: VendorHands;
}

interface LifeOptions {
  readonly tld: string;
  readonly lacks: readonly Ability[];
  readonly hands: readonly Hand[];
}

const STATUS = { code: 'REGISTRY_REJECTED', reason: 'status' };
const REJECTED = { code: 'REGISTRY_REJECTED' };

/** What time and other registrars do to a name, for vendors whose test system lets a test bring it about. */
export function lifeContract(subject: () => LifeUnderTest, { tld, lacks, hands }: LifeOptions): void {
  const rule = (needed: readonly Hand[], ability?: Ability) => (needed.every((hand) => hands.includes(hand)) && !(ability && lacks.includes(ability)) ? it : it.skip);
  const registry = () => subject().registry;
  const advance = async (days: number) => handOf(subject().hands, 'advance')(days);
  const requestTransfer = async (name: DomainName, code: string) => handOf(subject().hands, 'requestTransfer')(name, code);

  function periods(): LifecyclePeriods {
    const policy = registry().policies().find(({ suffix }) => suffix === tld);
    if (!policy) throw new TypeError(`.${tld} is not served`);
    return policy.periods;
  }

  async function aName(): Promise<DomainName> {
    const name = freshName(tld);
    await register(registry(), name);
    return name;
  }

  async function held(name: DomainName) {
    const facts = await registry().info(name);
    if (!facts) throw new TypeError(`${name.value} is held by nobody`);
    return facts;
  }

  /** As a registry has it that keeps the year it added until the account decides. */
  async function anExpiredName(): Promise<DomainName> {
    const name = await aName();
    await advance(367);
    return name;
  }

  async function anOldName(): Promise<DomainName> {
    const name = await aName();
    await advance(periods().addGrace + 1);
    return name;
  }

  /** Unlocked, with a code. */
  async function aNameToGo(): Promise<{ readonly name: DomainName; readonly code: string }> {
    const name = await aName();
    await registry().setTransferLock(name, false, freshId());
    const { code } = await registry().issueAuthCode(name, freshId());
    return { name, code };
  }

  async function lost(name: DomainName, command: ChangingCommand, call: () => Promise<unknown>): Promise<void> {
    await handOf(subject().hands, 'loseNextAnswer')(name, command);
    await expect(call()).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });
  }

  describe('in the course of time', () => {
    rule(['advance'])('keeps a name that is deleted after the add grace period in redemption, where nothing is possible but a restore', async () => {
      const name = await anOldName();
      const { expiresAt } = await held(name);

      const left = await registry().delete(name, freshId());

      const deleted = await held(name);
      expect(left).toEqual(deleted);
      expect(deleted).toMatchObject({ phase: 'redemption', ours: true });
      expect(sameDay(deleted.expiresAt, expiresAt)).toBe(true);
      expect((await registry().check([name]))[0]?.available).toBe(false);
      await expect(registry().delete(name, freshId())).rejects.toMatchObject(STATUS);
      await expect(registry().renew(name, expiresAt, years(1), freshId())).rejects.toMatchObject(STATUS);
    });

    rule(['advance'])('restores a name before its expiry with the expiry it had, once', async () => {
      const name = await anOldName();
      const { expiresAt } = await held(name);
      const { restore } = await registry().price(name);
      await registry().delete(name, freshId());

      const restored = await registry().restore(name, restore, freshId());

      expect(restored).toMatchObject({ phase: 'registered', ours: true });
      expect(sameDay(restored.expiresAt, expiresAt)).toBe(true);
      await expect(registry().restore(name, restore, freshId())).rejects.toMatchObject(STATUS);
    });

    rule(['advance'], 'auto_renew')('adds a year to a name that expires, until it is known whether it stays', async () => {
      const name = await aName();
      const { expiresAt } = await held(name);

      await advance(367);

      const expired = await held(name);
      expect(expired).toMatchObject({ phase: 'auto_renew_grace', ours: true });
      expect(sameDay(expired.expiresAt, addYears(expiresAt, 1))).toBe(true);
    });

    rule(['advance'], 'auto_renew')('renews a name in auto-renew grace from its present expiry only, on top of the year that was added, and ends the phase', async () => {
      const name = await anExpiredName();
      const { expiresAt } = await held(name);

      await expect(registry().renew(name, addYears(expiresAt, -1), years(1), freshId())).rejects.toMatchObject({ reason: 'expiry_differs' });
      const renewed = await registry().renew(name, expiresAt, years(1), freshId());

      expect(renewed.phase).toBe('registered');
      expect(sameDay(renewed.expiresAt, addYears(expiresAt, 1))).toBe(true);
    });

    rule(['advance'], 'auto_renew')('takes the added year back where a name in auto-renew grace is deleted, and gives it again for a renewal with the restore', async () => {
      const name = await anExpiredName();
      const { expiresAt } = await held(name);
      const { restore, renewal } = await registry().price(name);

      await registry().delete(name, freshId());
      const deleted = await held(name);
      const restored = await registry().restore(name, sum([restore, renewal], restore.currency), freshId());

      expect(deleted.phase).toBe('redemption');
      expect(sameDay(deleted.expiresAt, addYears(expiresAt, -1))).toBe(true);
      expect(restored.phase).toBe('registered');
      expect(sameDay(restored.expiresAt, expiresAt)).toBe(true);
    });

    rule(['advance'], 'price_guard')('refuses to restore at another price than its own, and leaves the name where it is', async () => {
      const name = await anOldName();
      await registry().delete(name, freshId());
      const { restore } = await registry().price(name);

      await expect(registry().restore(name, { ...restore, minor: 1 }, freshId())).rejects.toMatchObject({ reason: 'price_changed' });

      expect((await held(name)).phase).toBe('redemption');
    });

    rule(['advance'])('frees a name that nobody restores, after a time in which nothing brings it back', async () => {
      const name = await anOldName();
      const { restore } = await registry().price(name);
      await registry().delete(name, freshId());

      await advance(periods().redemption + 1);
      const dying = await held(name);
      await expect(registry().restore(name, restore, freshId())).rejects.toMatchObject(STATUS);
      await advance(periods().pendingDelete + 1);

      expect(dying.phase).toBe('pending_delete');
      expect(await registry().info(name)).toBeUndefined();
      expect((await registry().check([name]))[0]?.available).toBe(true);
      expect(await register(registry(), name)).toMatchObject({ ours: true, createdByUs: true });
    });
  });

  describe('towards another registrar', () => {
    rule(['requestTransfer'])('keeps a name that is locked, and one whose code is not known', async () => {
      const { name, code } = await aNameToGo();
      await registry().setTransferLock(name, true, freshId());

      expect(await requestTransfer(name, code)).toBe(false);
      await registry().setTransferLock(name, false, freshId());
      expect(await requestTransfer(name, 'a guess, and a wrong one')).toBe(false);

      expect(await held(name)).toMatchObject({ ours: true, transferPending: false });
    });

    rule(['requestTransfer'])('takes no code that was replaced or withdrawn', async () => {
      const { name, code: replaced } = await aNameToGo();
      const { code: withdrawn } = await registry().issueAuthCode(name, freshId());

      expect(await requestTransfer(name, replaced)).toBe(false);
      await registry().withdrawAuthCode(name, freshId());
      expect(await requestTransfer(name, withdrawn)).toBe(false);
    });

    rule(['requestTransfer'])('issues a code while the name is locked, and takes it once it is not', async () => {
      const name = await aName();
      const { code } = await registry().issueAuthCode(name, freshId());
      await registry().setTransferLock(name, false, freshId());

      expect(await requestTransfer(name, code)).toBe(true);
    });

    rule(['requestTransfer'])('shows a transfer that is pending, and renews nothing meanwhile', async () => {
      const { name, code } = await aNameToGo();
      const { expiresAt } = await held(name);

      await requestTransfer(name, code);

      expect(await held(name)).toMatchObject({ ours: true, transferPending: true });
      await expect(registry().renew(name, expiresAt, years(1), freshId())).rejects.toMatchObject(STATUS);
    });

    rule(['requestTransfer', 'advance'])('lets a name go at the end of the transfer period, and tells so until that is acknowledged', async () => {
      const { name, code } = await aNameToGo();
      await requestTransfer(name, code);

      await advance(periods().transfer + 1);

      const messages = await drained(registry());
      expect(messages.filter((message) => message.name?.value === name.value).map(({ kind }) => kind)).toContain('transferred_out');
      expect(await registry().poll()).toBeUndefined();
      expect((await registry().info(name))?.ours).not.toBe(true);
      await expect(registry().setTransferLock(name, true, freshId())).rejects.toMatchObject({ reason: 'not_held' });
    });
  });

  describe('after an answer that was lost', () => {
    rule(['loseNextAnswer'])('tells that a registration is ours, and sells the name no second time', async () => {
      const name = freshName(tld);

      await lost(name, 'register', () => register(registry(), name));

      expect(await registry().info(name)).toMatchObject({ ours: true, createdByUs: true });
      await expect(register(registry(), name)).rejects.toMatchObject({ ...REJECTED, reason: 'unavailable' });
    });

    rule(['loseNextAnswer'])('has renewed once, however often the renewal is repeated', async () => {
      const name = await aName();
      const { expiresAt } = await held(name);

      await lost(name, 'renew', () => registry().renew(name, expiresAt, years(1), freshId()));

      for (const _ of [1, 2]) await expect(registry().renew(name, expiresAt, years(1), freshId())).rejects.toMatchObject({ reason: 'expiry_differs' });
      expect(sameDay((await held(name)).expiresAt, addYears(expiresAt, 1))).toBe(true);
    });

    rule(['loseNextAnswer'])('takes the repetition of a setting for success', async () => {
      const name = await aName();

      await lost(name, 'setTransferLock', () => registry().setTransferLock(name, false, freshId()));

      expect((await registry().setTransferLock(name, false, freshId())).transferLocked).toBe(false);
    });

    rule(['loseNextAnswer'])('issues another auth code', async () => {
      const name = await aName();

      await lost(name, 'issueAuthCode', () => registry().issueAuthCode(name, freshId()));

      expect((await registry().issueAuthCode(name, freshId())).code).toEqual(expect.any(String));
    });

    rule(['loseNextAnswer'], 'add_grace')('has let go of a name that was deleted within the add grace period', async () => {
      const name = await aName();

      await lost(name, 'delete', () => registry().delete(name, freshId()));

      expect(await registry().info(name)).toBeUndefined();
      await expect(registry().delete(name, freshId())).rejects.toMatchObject({ reason: 'not_held' });
    });

    rule(['loseNextAnswer', 'advance'])('has a name in redemption, and deletes it no second time', async () => {
      const name = await anOldName();

      await lost(name, 'delete', () => registry().delete(name, freshId()));

      expect((await held(name)).phase).toBe('redemption');
      await expect(registry().delete(name, freshId())).rejects.toMatchObject(STATUS);
    });

    rule(['loseNextAnswer', 'advance'])('restores once: what is restored is refused, what is half restored is gone on with', async () => {
      const name = await anOldName();
      const { restore } = await registry().price(name);
      await registry().delete(name, freshId());

      await lost(name, 'restore', () => registry().restore(name, restore, freshId()));

      const { phase } = await held(name);
      const repeated = registry().restore(name, restore, freshId());
      if (phase === 'registered') await expect(repeated).rejects.toMatchObject(STATUS);
      else expect((await repeated).phase).toBe('registered');
      expect((await held(name)).phase).toBe('registered');
    });
  });
}

/** Asks for each message twice and acknowledges it: it must be the same until then. */
async function drained(registry: RegistryPort): Promise<readonly RegistryMessage[]> {
  const messages: RegistryMessage[] = [];
  for (let message = await registry.poll(); message; message = await registry.poll()) {
    expect(await registry.poll()).toEqual(message);
    messages.push(message);
    await registry.acknowledge(message.id);
  }
  return messages;
}
