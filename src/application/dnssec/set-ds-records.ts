import { inject, injectable } from '../ports/inject';
import type { Requester } from '../../domain/access/actor';
import { delegationOf } from '../../domain/dns/delegation/delegation';
import { dsRecordOf, isSameDsRecord, type DsRecord, type DnsKey } from '../../domain/dns/delegation/ds-record';
import { ZoneSourceFailed } from '../../domain/dns/dns-errors';
import { DomainStatusConflict } from '../../domain/shared/domain-errors';
import { distinct } from '../../domain/shared/text/distinct';
import { TldPolicies } from '../../domain/registration/names/tld-policy';
import { ValidationError } from '../../domain/shared/validation-error';
import type { OperationOutcome } from '../operations/operation-outcome';
import { OperationQueue } from '../operations/operation-queue';
import { ZoneSigningReader } from '../ports/dns/signing-repository';
import { ZoneSources, type NameserverKeys } from '../ports/dns/other-nameservers';
import { assertSupported } from '../operations/assert-supported';
import { FindDomain } from '../registration/find-domain';
import { RegistrationSettings } from '../registration/registration-settings';

const MAX_DS_RECORDS = 8;

interface DsRecordsCommand extends Requester {
  readonly domainId: string;
  readonly dsRecords: readonly DsRecord[];
  /** For each, a DS record with SHA-256 is set. */
  readonly keys: readonly DnsKey[];
}

/**
 * Sets the DS records of a zone that other nameservers sign; none removes them. They are sent if a nameserver of the domain serves
 * the key of each, and each nameserver's DNSKEY records are signed by one of these keys.
 * @throws LimitedKey, DomainNotFound, DomainStatusConflict, ValidationError, ZoneSourceFailed, RegistryRejected, RegistryUnavailable
 */
@injectable()
export class SetDsRecords {
  constructor(
    @inject(FindDomain) private readonly findDomain: Pick<FindDomain, 'byId'>,
    @inject(ZoneSigningReader) private readonly signings: Pick<ZoneSigningReader, 'find'>,
    @inject(ZoneSources) private readonly zoneSources: Pick<ZoneSources, 'keys'>,
    @inject(OperationQueue) private readonly operations: Pick<OperationQueue, 'execute'>,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(RegistrationSettings) private readonly settings: Pick<RegistrationSettings, 'defaultNameservers'>,
  ) {}

  async execute({ dsRecords, keys, ...command }: DsRecordsCommand): Promise<OperationOutcome> {
    const domain = await this.findDomain.byId(command, 'settings');
    const { name, nameservers } = domain.toState();
    assertSupported(this.policies, domain.name, 'delegation_signers');
    const wanted = [...dsRecords, ...keys.map((key) => dsRecordOf(name, key))];
    if (wanted.length > MAX_DS_RECORDS)
      throw ValidationError.of('ds', `must be at most ${MAX_DS_RECORDS} with dnskeys`);
    if (await this.signings.find(domain.id))
      throw new DomainStatusConflict('The service signs this zone and sets its DS records. Switch DNSSEC off first');
    if (wanted.length > 0 && delegationOf(nameservers, this.settings.defaultNameservers) === 'ours')
      throw new DomainStatusConflict('This service serves the zone. Switch DNSSEC on instead of setting DS records');
    const served = wanted.length > 0 ? await this.zoneSources.keys(name, nameservers, command.accountId) : [];
    const checked = distinct(withServedKeys(name, wanted, served), isSameDsRecord);
    return this.operations.execute({
      ...command,
      action: 'change nameservers',
      request: (current, unfinished) => {
        const isMoving = unfinished.some(({ kind }) => kind === 'set_nameservers');
        if (checked.length > 0 && (isMoving || current.toState().nameservers.join() !== nameservers.join()))
          throw new DomainStatusConflict(
            'The nameservers are being changed. Repeat the request when they have changed',
          );
        return { kind: 'set_delegation_signers', signers: checked };
      },
    });
  }
}

/**
 * Adds the keys, for registries that take keys. A key may stand by, or be that of one of several signers only (RFC 8901, model 2);
 * but each nameserver's DNSKEY records must be proven by one of the keys. @throws ZoneSourceFailed, ValidationError
 */
function withServedKeys(
  zone: string,
  wanted: readonly DsRecord[],
  found: readonly NameserverKeys[],
): readonly DsRecord[] {
  const servers = found.map(({ nameserver, served }) => {
    if (!served) throw new ZoneSourceFailed(`${nameserver} does not answer for ${zone}`);
    return { nameserver, ...served };
  });
  const checked = wanted.map((record, index) => {
    const { keyTag, digestType } = record;
    if (digestType !== 2 && digestType !== 4)
      throw ValidationError.of(`ds[${index}].digest_type`, 'must be 2 (SHA-256) or 4 (SHA-384)');
    const key = servers.flatMap(({ keys }) => keys).find((each) => isOfKey(zone, record, each));
    if (!key)
      throw ValidationError.of(
        `ds[${index}]`,
        `has key tag ${keyTag}, and no nameserver of the domain has a DNSKEY record for it`,
      );
    return { ...record, key };
  });
  const unproven = servers.find(
    ({ signing }) => !signing.some((key) => checked.some((record) => isOfKey(zone, record, key))),
  );
  if (unproven && checked.length > 0)
    throw ValidationError.of(
      'ds',
      `must have a record for a key that signs the DNSKEY records at ${unproven.nameserver}; otherwise resolvers reject its answers`,
    );
  return checked;
}

/** Of a record with SHA-256 or SHA-384. */
function isOfKey(zone: string, record: DsRecord, key: DnsKey): boolean {
  return isSameDsRecord(dsRecordOf(zone, key, record.digestType === 4 ? 4 : 2), record);
}
