import { generateKeyPairSync } from 'node:crypto';
import { describe, expect } from '@jest/globals';
import { dsRecordOf, matchesDsRecords, type DsRecord, type DnsKey } from '../domain/dns/delegation/ds-record';
import type { DomainName } from '../domain/shared/domain-name';
import type { LifecycleScenario } from './lifecycle-scenario';
import { freshHosts, freshId } from './registry-fixtures';

const NOT_HELD = { code: 'REGISTRY_REJECTED', reason: 'not_held' };

/** DS records at the registry (RFC 5910). */
export function dsRecordContract(scenario: LifecycleScenario): void {
  describe('DS records', () => {
    scenario.rule([], 'delegation_signers')('are none after a registration', async () => {
      expect(await scenario.registry.dsRecords(await scenario.aName())).toEqual([]);
    });

    scenario.rule([], 'delegation_signers')(
      'are replaced and read back, and a repetition changes nothing',
      async () => {
        const name = await scenario.aName();
        const [one, two, three] = [aDsRecord(name), aDsRecord(name), aDsRecord(name)];

        const first = await scenario.registry.setDsRecords(name, [one, two], freshId());
        const second = await scenario.registry.setDsRecords(name, [two, three], freshId());
        const repeated = await scenario.registry.setDsRecords(name, [two, three], freshId());

        expect(shown(first)).toEqual(shown([one, two]));
        expect(shown(second)).toEqual(shown([two, three]));
        expect(shown(repeated)).toEqual(shown([two, three]));
        expect(shown(await scenario.registry.dsRecords(name))).toEqual(shown([two, three]));
      },
    );

    scenario.rule([], 'delegation_signers')('are removed, and a repetition changes nothing', async () => {
      const name = await scenario.aName();
      await scenario.registry.setDsRecords(name, [aDsRecord(name)], freshId());

      expect(await scenario.registry.setDsRecords(name, [], freshId())).toEqual([]);
      expect(await scenario.registry.setDsRecords(name, [], freshId())).toEqual([]);

      expect(await scenario.registry.dsRecords(name)).toEqual([]);
    });

    scenario.rule([], 'delegation_signers')(
      'may be two digests of one key: a registry that takes keys gets it once, and a repetition changes nothing',
      async () => {
        const name = await scenario.aName();
        const key = aKey();
        const both = [dsRecordOf(name.value, key, 2), dsRecordOf(name.value, key, 4)];

        const set = await scenario.registry.setDsRecords(name, both, freshId());
        const repeated = await scenario.registry.setDsRecords(name, both, freshId());

        expect(matchesDsRecords(name.value, both, set)).toBe(true);
        expect(new Set(set.map(({ digest }) => digest)).size).toBe(set.length);
        expect(repeated).toEqual(set);
      },
    );

    scenario.rule([], 'delegation_signers')('stay if nameservers and lock change', async () => {
      const name = await scenario.aName();
      const dsRecords = await scenario.registry.setDsRecords(name, [aDsRecord(name)], freshId());

      await scenario.registry.setNameservers(name, freshHosts(2), [], freshId());
      await scenario.unlock(name);

      expect(shown(await scenario.registry.dsRecords(name))).toEqual(shown(dsRecords));
    });

    scenario.rule(['nameElsewhere'], 'delegation_signers')(
      'are neither shown nor set of a name that another registrar sponsors',
      async () => {
        const { name } = await scenario.aNameElsewhere();

        await expect(scenario.registry.dsRecords(name)).rejects.toMatchObject(NOT_HELD);
        await expect(scenario.registry.setDsRecords(name, [aDsRecord(name)], freshId())).rejects.toMatchObject(
          NOT_HELD,
        );
      },
    );

    scenario.rule(['loseNextResponse'], 'delegation_signers')('are set if the response is lost', async () => {
      const name = await scenario.aName();
      const dsRecord = aDsRecord(name);

      await scenario.loseResponse(name, 'setDsRecords', () =>
        scenario.registry.setDsRecords(name, [dsRecord], freshId()),
      );
      const repeated = await scenario.registry.setDsRecords(name, [dsRecord], freshId());

      expect(shown(repeated)).toEqual(shown([dsRecord]));
    });
  });
}

function aDsRecord({ value }: DomainName): DsRecord {
  return dsRecordOf(value, aKey());
}

/** A new key signing key with ECDSA P-256 (RFC 6605). */
function aKey(): DnsKey {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const point = pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-64);
  return { flags: 257, algorithm: 13, publicKey: point.toString('base64') };
}

/** A registry that takes keys chooses the digest itself. */
function shown(dsRecords: readonly DsRecord[]): readonly string[] {
  return dsRecords.map(({ keyTag, algorithm }) => `${keyTag} ${algorithm}`).toSorted();
}
