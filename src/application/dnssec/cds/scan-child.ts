import { inject, injectable } from '../../ports/inject';
import { delegationOf } from '../../../domain/dns/delegation/delegation';
import { matchesDsRecords, type DsRecord } from '../../../domain/dns/delegation/ds-record';
import {
  acceptedAfter,
  afterScan,
  waitingSince,
  type CdsPolicy,
  type CdsScanState,
  type ScanFinding,
} from '../../../domain/dns/dnssec/parent/cds-scan';
import {
  isSameKeys,
  isSameDsRecords,
  type ChildDecision,
  type ChildRecords,
} from '../../../domain/dns/dnssec/parent/child-ds-records';
import type { Domain } from '../../../domain/registration/domain';
import { isServed } from '../../../domain/registration/domain-status';
import { DomainName } from '../../../domain/shared/domain-name';
import { cdsRefused } from '../../audit/signing-audit';
import { ServiceOperations } from '../../operations/service-operations';
import { CdsScanReader, type ScanCandidate, ChildZones, type ChildAnswer } from '../../ports/dns/other-nameservers';
import { RegistryRejected } from '../../ports/registry/registry-errors';
import { RegistryPort } from '../../ports/registry/registry-port';
import { UnitOfWork, type Stores } from '../../ports/storage/unit-of-work';
import { Clock, LifecycleClock } from '../../ports/system';
import { RegistrationSettings } from '../../registration/registration-settings';
import { asksForDsRecords, decideForAll, silence } from './child-answers';

type Asked = Extract<ChildDecision, { kind: 'wanted' }>;

interface ScanResult {
  readonly finding: ScanFinding;
  /** The DS records to set, if any. */
  readonly dsRecords?: readonly DsRecord[];
  /** The domain may no longer be ours, so it is checked at once. */
  readonly isDoubtful?: boolean;
}

/**
 * Scans the zone of a domain with foreign nameservers for CDS and CDNSKEY records (RFC 7344), and sets the DS records that it asks
 * for by an operation of the domain. Every nameserver must ask for the same. A repetition changes nothing.
 */
@injectable()
export class ScanChild {
  constructor(
    @inject(ChildZones) private readonly childZones: ChildZones,
    @inject(CdsScanReader) private readonly scans: Pick<CdsScanReader, 'find'>,
    @inject(RegistryPort) private readonly registry: Pick<RegistryPort, 'dsRecords'>,
    @inject(ServiceOperations) private readonly operations: Pick<ServiceOperations, 'add' | 'run'>,
    @inject(UnitOfWork)
    private readonly unitOfWork: UnitOfWork<'audit' | 'cdsScans' | 'domains' | 'operations' | 'zoneSignings'>,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
    @inject(RegistrationSettings) private readonly settings: Pick<RegistrationSettings, 'defaultNameservers'>,
  ) {}

  /** Whether other nameservers serve the domain. */
  isForeign(nameservers: readonly string[]): boolean {
    return nameservers.length > 0 && delegationOf(nameservers, this.settings.defaultNameservers) !== 'ours';
  }

  /** @throws RegistryUnavailable, StorageUnavailable: nothing is stored */
  async execute(candidate: ScanCandidate, policy: CdsPolicy): Promise<void> {
    const before = await this.scans.find(candidate.id);
    const answers = await this.childZones.read(candidate.name, candidate.nameservers);
    const { finding, dsRecords, isDoubtful } = await this.find(candidate, policy, { before, answers });
    const refusal = finding.kind === 'refused' && answers.some(asksForDsRecords) ? finding.reason : undefined;
    const stored: { domain?: Domain; operationId?: string } = {};
    await this.unitOfWork.run(async (stores) => {
      const domain = await stores.domains.lockAny(candidate.id);
      if (!domain || !(await this.isStillScanned(stores, domain, candidate))) return;
      const now = this.clock.now();
      await stores.cdsScans.save(afterScan(before, candidate.id, finding, now));
      if (refusal !== undefined && refusal !== before?.reason)
        await stores.audit.append(cdsRefused(domain, refusal, now));
      if (isDoubtful) {
        domain.schedule(this.lifecycleClock.now());
        await stores.domains.save(domain);
      }
      if (!dsRecords) return;
      const operationId = await this.operations.add(stores, domain, {
        kind: 'set_delegation_signers',
        signers: dsRecords,
      });
      Object.assign(stored, { domain, operationId });
    }, candidate.accountId);
    if (stored.domain && stored.operationId) await this.operations.run(stored.domain, stored.operationId);
  }

  private async find(
    { name, nameservers }: ScanCandidate,
    policy: CdsPolicy,
    { before, answers }: { readonly before: CdsScanState | undefined; readonly answers: readonly ChildAnswer[] },
  ): Promise<ScanResult> {
    const silent = silence(name, answers);
    if (silent !== undefined) return refused(silent);
    if (!answers.some(asksForDsRecords)) return { finding: { kind: 'none' } };

    const present = await this.registry.dsRecords(DomainName.fromState(name)).catch(returnRejection);
    if (present instanceof RegistryRejected)
      return {
        ...refused(`the registry does not return the DS records: ${present.details ?? present.message}`),
        isDoubtful: true,
      };
    const wanted = decideForAll(answers, { zoneName: name, present, notBefore: before?.inception ?? 0 });
    if (wanted.kind !== 'wanted') return { finding: wanted };
    const { inception } = wanted;
    if (matchesDsRecords(name, wanted.dsRecords, present)) return { finding: { kind: 'unchanged', inception } };
    const accepted = { finding: { kind: 'changed', inception } as const, dsRecords: wanted.dsRecords };
    if (present.length > 0) return accepted;
    const [{ records } = { records: undefined }] = answers;
    return (await this.objection({ name, nameservers }, policy, { before, wanted, records })) ?? accepted;
  }

  /** Why first DS records are not set, or not yet: nothing at the parent proves them. */
  private async objection(
    { name, nameservers }: Pick<ScanCandidate, 'name' | 'nameservers'>,
    policy: CdsPolicy,
    found: {
      readonly before: CdsScanState | undefined;
      readonly wanted: Asked;
      readonly records: ChildRecords | undefined;
    },
  ): Promise<{ readonly finding: ScanFinding } | undefined> {
    const { before, wanted, records } = found;
    if (policy === 'rollovers') return refused('first DS records are not set from CDS records for this TLD');
    if (policy === 'delayed') {
      const now = this.clock.now();
      const since = waitingSince(before, wanted.dsRecords, now);
      return acceptedAfter({ since }) <= now
        ? undefined
        : { finding: { kind: 'waiting', dsRecords: wanted.dsRecords } };
    }
    for (const { nameserver, signal } of await this.childZones.signals(name, nameservers)) {
      const isConfirmed =
        signal &&
        records &&
        isSameDsRecords(signal.cds, records.cds.records) &&
        isSameKeys(signal.cdnskeys, records.cdnskeys.records);
      if (!isConfirmed)
        return refused(`the operator of ${nameserver} does not confirm the first DS records (RFC 9615)`);
    }
    return undefined;
  }

  /** Whether nothing that matters has changed since the candidate was read. */
  private async isStillScanned(
    { operations, zoneSignings }: Pick<Stores, 'operations' | 'zoneSignings'>,
    domain: Domain,
    { id, nameservers }: ScanCandidate,
  ): Promise<boolean> {
    const state = domain.toState();
    return (
      isServed(state.status) &&
      state.nameservers.join() === nameservers.join() &&
      !(await zoneSignings.lock(id)) &&
      (await operations.unfinished(id)).length === 0
    );
  }
}

function refused(reason: string): { readonly finding: ScanFinding } {
  return { finding: { kind: 'refused', reason } };
}

function returnRejection(error: unknown): RegistryRejected {
  if (error instanceof RegistryRejected) return error;
  throw error;
}
