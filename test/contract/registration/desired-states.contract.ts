import { DRIFT_MODULUS } from '../../../src/domain/dns/state-drift';
import { SERVICE } from '../../../src/domain/access/actor';
import { ZoneSigning } from '../../../src/domain/dns/dnssec/zone-signing';
import type { DesiredSettings } from '../../../src/domain/portfolio/desired-state';
import type { Domain } from '../../../src/domain/registration/domain';
import { Operation } from '../../../src/domain/registration/operations/operation';
import { A_REGISTRANT } from '../../support/data/a-domain';
import { after, anAccount, BY, fresh, storedDomain, T0, type StorageUnderTest } from '../storage-under-test';

const OTHERS = ['ns1.example.net', 'ns2.example.net'];

/** Contract of what stores the desired states of names. */
export function desiredStatesContract(storage: () => StorageUnderTest): void {
  async function named(settings: DesiredSettings | undefined, overrides: Parameters<typeof storedDomain>[2] = {}) {
    const accountId = await anAccount(storage());
    const domain = await storedDomain(storage(), accountId, { tags: [], ...overrides });
    const { id, name } = domain.toState();
    await storage().unitOfWork.run(async ({ desiredStates, zones }) => {
      await zones.create(id, BY);
      const applied = { zoneVersion: 1, actor: SERVICE, appliedAt: T0, driftedAt: null };
      await desiredStates.put({ domainId: id, accountId, name, state: { settings }, ...applied });
    });
    const isDrifted = async () => (await storage().desiredStates.drifted(accountId, 10)).length > 0;
    const change = (by: (domain: Domain) => void) =>
      storage().unitOfWork.run(async ({ domains }) => {
        const found = await domains.lock(accountId, id);
        if (!found) throw new Error('it is not stored');
        by(found);
        await domains.save(found);
      });
    const drifts = async () => {
      const page = await storage().eventFeed.read(accountId, { types: ['domain.drifted'] }, 10);
      return 'events' in page ? page.events.map(({ actor, data }) => ({ actor, settings: data['settings'] })) : [];
    };
    return { accountId, id, name, isDrifted, drifts, change };
  }

  describe('the desired state of a name', () => {
    it.each<
      [setting: string, settings: DesiredSettings, away: (domain: Domain) => void, back: (domain: Domain) => void]
    >([
      ['the lock', { transferLocked: true }, (d) => d.setTransferLock(false, T0), (d) => d.setTransferLock(true, T0)],
      ['auto-renewal', { autoRenew: true }, (d) => d.setAutoRenew(false, T0), (d) => d.setAutoRenew(true, T0)],
      ['the tags', { tags: ['Shop', 'a b'] }, (d) => d.setTags([], T0), (d) => d.setTags(['a-b', 'shop'], T0)],
      [
        'the nameservers',
        { nameservers: ['NS2.example.net.', 'ns1.example.net'] },
        (d) => d.delegateTo(['ns1.example.org', 'ns2.example.org'], T0),
        (d) => d.delegateTo(OTHERS, T0),
      ],
    ])('is drifted from while a setting differs: %s', async (_setting, settings, away, back) => {
      const { isDrifted, change } = await named(settings, { nameservers: OTHERS, tags: ['a-b', 'shop'] });

      await change(away);
      expect(await isDrifted()).toBe(true);
      await change(back);
      expect(await isDrifted()).toBe(false);
    });

    it('is drifted from while the registrant is not that of the contact, by id and by name', async () => {
      for (const member of ['id', 'name'] as const) {
        const { accountId, isDrifted, change, id } = await named(undefined, { registrant: A_REGISTRANT });
        const contact = (await storedDomain(storage(), accountId, { registrant: A_REGISTRANT })).toState()[member];
        await storage().unitOfWork.run(({ desiredStates }) =>
          desiredStates.put({
            domainId: id,
            accountId,
            name: 'example.com',
            state: { settings: { contact } },
            zoneVersion: 1,
            actor: SERVICE,
            appliedAt: T0,
            driftedAt: null,
          }),
        );

        await change((domain) => domain.changeRegistrant({ ...A_REGISTRANT, firstName: 'Grace' }, T0));
        expect(await isDrifted()).toBe(true);
        await change((domain) => domain.changeRegistrant(A_REGISTRANT, T0));
        expect(await isDrifted()).toBe(false);
      }
    });

    it('has an event of each change past it, with the settings that the change made differ, from the actor of its event', async () => {
      const { accountId, id, name, drifts, change } = await named(
        { autoRenew: true, tags: ['shop'] },
        { tags: ['shop'] },
      );
      const actor = { kind: 'user', id: 'usr_1' } as const;

      await storage().unitOfWork.run(async ({ domains, events }) => {
        const domain = await domains.lock(accountId, id);
        domain?.setAutoRenew(false, T0);
        if (domain) await domains.save(domain);
        await events.append({ accountId, actor, at: T0, type: 'domain.changed', domain: { id, name }, data: {} });
      });
      await change((domain) => domain.setTransferLock(false, T0));
      await change((domain) => domain.setTags([], T0));
      await change((domain) => domain.setTags(['shop'], T0));

      expect(await drifts()).toEqual([
        { actor, settings: ['auto_renew'] },
        { actor: SERVICE, settings: ['tags'] },
      ]);
    });

    it('is drifted from while DNSSEC is on that is to be off', async () => {
      const { id, isDrifted } = await named({ dnssec: { enabled: false } });

      await storage().unitOfWork.run(({ zoneSignings }) => zoneSignings.add(ZoneSigning.request(id, 'nsec', T0)));
      expect(await isDrifted()).toBe(true);
      await storage().unitOfWork.run(async ({ zoneSignings }) => {
        await zoneSignings.lock(id);
        await zoneSignings.remove(id);
      });
      expect(await isDrifted()).toBe(false);
    });

    it('is not drifted from by a setting that it does not have, nor by what its unfinished operation changes', async () => {
      const { accountId, id, isDrifted, change } = await named({ transferLocked: true });

      await change((domain) => domain.setAutoRenew(false, T0));
      const request = { kind: 'set_transfer_lock', locked: true } as const;
      const operation = { id: fresh('op_'), accountId, actor: SERVICE, domainId: id, request };
      await storage().unitOfWork.run(({ operations }) => operations.add(Operation.queue(operation, T0)));
      await change((domain) => domain.setTransferLock(false, T0));

      expect(await isDrifted()).toBe(false);
    });

    it('stays drifted from once records were changed, whichever came first', async () => {
      const records = (id: string) =>
        storage().unitOfWork.run(({ desiredStates }) => desiredStates.markRecordsDrifted(id, 1, after(1)));
      const [one, other] = [await named({ autoRenew: true }), await named({ autoRenew: true })];

      await one.change((domain) => domain.setAutoRenew(false, T0));
      await records(one.id);
      await one.change((domain) => domain.setAutoRenew(true, T0));
      await records(other.id);
      await other.change((domain) => domain.setAutoRenew(false, T0));
      await other.change((domain) => domain.setAutoRenew(true, T0));

      expect([await one.isDrifted(), await other.isDrifted()]).toEqual([true, true]);
      expect((await storage().desiredStates.find(other.accountId, other.id))?.driftedAt).toEqual(after(1));
    });

    it.each([
      ['both', [5, DRIFT_MODULUS - 5], false],
      ['some of three', [5, 7, DRIFT_MODULUS - 5], true],
      ['all of three', [5, DRIFT_MODULUS - 2, DRIFT_MODULUS - 3], false],
      ['a change of which the sum is unknown', [5, undefined, DRIFT_MODULUS - 5], true],
    ])('is drifted from until changes of records have undone %s', async (_changes, sums, isStill) => {
      for (const settings of [{ autoRenew: true }, undefined]) {
        const { id, isDrifted } = await named(settings);
        const seen: boolean[] = [];
        for (const sum of sums) {
          await storage().unitOfWork.run(({ desiredStates }) => desiredStates.markRecordsDrifted(id, sum, after(1)));
          seen.push(await isDrifted());
        }
        expect(seen).toEqual([...sums.slice(1).map(() => true), isStill]);
      }
    });

    it('stays drifted from when its records are as it says again and a setting is not, until that is, too', async () => {
      const { id, isDrifted, drifts, change } = await named({ autoRenew: true });
      const records = (sum: number) =>
        storage().unitOfWork.run(({ desiredStates }) => desiredStates.markRecordsDrifted(id, sum, after(1)));

      await records(5);
      await change((domain) => domain.setAutoRenew(false, T0));
      await records(DRIFT_MODULUS - 5);
      expect(await isDrifted()).toBe(true);
      await change((domain) => domain.setAutoRenew(true, T0));

      expect(await isDrifted()).toBe(false);
      expect(await drifts()).toHaveLength(1);
    });

    it('is not drifted from by the end of the registration', async () => {
      const kept = await named({ autoRenew: false, tags: [] }, { autoRenew: false });
      await kept.change((domain) => {
        domain.setKeepZone(true, T0);
        domain.markDeleted(T0);
      });
      expect(await kept.isDrifted()).toBe(false);
      await kept.change((domain) => domain.setTags(['shop'], T0));
      expect(await kept.isDrifted()).toBe(true);

      const left = await named({ autoRenew: true });
      await left.change((domain) => {
        domain.setAutoRenew(false, T0);
        domain.markTransferredOut(T0);
      });
      expect(await left.isDrifted()).toBe(false);
    });
  });
}
