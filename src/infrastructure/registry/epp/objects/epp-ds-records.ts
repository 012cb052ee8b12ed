import { RegistryRejected, unsupportedBy } from '../../../../application/ports/registry/registry-errors';
import { isSameDsRecord, type DsRecord } from '../../../../domain/dns/delegation/ds-record';
import type { DomainName } from '../../../../domain/shared/domain-name';
import { distinct } from '../../../../domain/shared/text/distinct';
import { NAMESPACES } from '../codec/namespaces';
import { offersNamespace } from '../mapping/greeting';
import { updateDsRecords, type DsRecordMode } from '../mapping/security';
import type { DsRecordPolicy } from '../profiles/profile';
import type { EppClient } from '../session/epp-client';
import type { EppDomains } from './epp-domains';

/** DS records at the registry (RFC 5910), as DS data or as keys. */
export class EppDsRecords {
  constructor(
    private readonly client: EppClient,
    private readonly domains: EppDomains,
    private readonly policy: DsRecordPolicy,
  ) {}

  async find(name: DomainName): Promise<readonly DsRecord[]> {
    await this.requireMode();
    return (await this.domains.requireSponsored(name)).dsRecords;
  }

  /** Sends the difference, and returns what the registry then has. Of several digests, a registry with keys gets the key once. */
  async replace(name: DomainName, dsRecords: readonly DsRecord[], transactionId: string): Promise<readonly DsRecord[]> {
    const mode = await this.requireMode();
    const wanted = distinct(dsRecords, comparisonOf(mode));
    const objection = objectionTo(wanted, this.policy);
    if (objection !== undefined) throw new RegistryRejected('policy', objection);
    return this.client.runCall(transactionId, async (ids) => {
      const { dsRecords: present } = await this.domains.requireSponsored(name);
      const add = without(wanted, present, mode);
      const remove = without(present, wanted, mode);
      if (add.length + remove.length === 0) return present;
      await this.client.sendOrThrow(
        updateDsRecords(name.value, { add, remove: wanted.length === 0 ? 'all' : remove }, mode, this.policy),
        ids.main(),
      );
      return (await this.domains.requireSponsored(name)).dsRecords;
    });
  }

  private async requireMode(): Promise<DsRecordMode> {
    const { form } = this.policy;
    if (form === 'none' || !offersNamespace(await this.client.services(), NAMESPACES.secDNS))
      throw unsupportedBy('The registry', 'DS records');
    return form;
  }
}

/** Why the registry does not take these records; undefined if nothing is known against them. */
function objectionTo(
  dsRecords: readonly DsRecord[],
  { form, algorithms, digestTypes, maximum }: DsRecordPolicy,
): string | undefined {
  if (form === 'keys' && dsRecords.some(({ key }) => !key))
    return 'This registry takes DNSSEC keys, and the key of a DS record is missing';
  if (maximum !== undefined && dsRecords.length > maximum) return `This registry takes at most ${maximum} DS records`;
  const algorithm = dsRecords.find((dsRecord) => algorithms?.includes(dsRecord.algorithm) === false)?.algorithm;
  if (algorithm !== undefined)
    return `This registry takes no DS records of algorithm ${algorithm}, only of ${algorithms?.join(', ')}`;
  const digestType =
    form === 'ds'
      ? dsRecords.find((dsRecord) => digestTypes?.includes(dsRecord.digestType) === false)?.digestType
      : undefined;
  return digestType === undefined
    ? undefined
    : `This registry takes no DS records of digest type ${digestType}, only of ${digestTypes?.join(', ')}`;
}

function without(dsRecords: readonly DsRecord[], others: readonly DsRecord[], mode: DsRecordMode): readonly DsRecord[] {
  const isSame = comparisonOf(mode);
  return dsRecords.filter((dsRecord) => !others.some((other) => isSame(dsRecord, other)));
}

function comparisonOf(mode: DsRecordMode): typeof isSameDsRecord {
  return mode === 'ds' ? isSameDsRecord : isSameKey;
}

function isSameKey({ key: left }: DsRecord, { key: right }: DsRecord): boolean {
  return left?.publicKey === right?.publicKey && left?.flags === right?.flags && left?.algorithm === right?.algorithm;
}
