import { inject, injectable } from '../ports/inject';
import { AliasFollower } from '../dns/aliases/alias-follower';
import { DiscoveryRunner } from '../dns/domain-connect/discovery-runner';
import { ScheduledWork } from './scheduled-work';
import { LifecycleSync } from '../lifecycle/lifecycle-sync';
import { OperationRunner } from '../operations/operation-runner';
import { OperationSettings } from '../shared/operation-settings';
import { Clock } from '../ports/system';
import { UnitOfWork } from '../ports/storage/unit-of-work';
import { TransferRunner } from '../transfers/transfer-runner';
import { CdsScanner } from '../dnssec/cds/cds-scanner';
import { ZoneVerifier } from '../hosting/zone-verifier';
import { RefreshSignatures } from '../dns/signing/signatures/refresh-signatures';
import { NightlyReconciliation } from '../registrar/reconciliation/nightly-reconciliation';
import { HealthMonitor } from '../health/health-monitor';
import { BulkRunner } from '../portfolio/bulk/bulk-runner';
import { ExpireProposals } from '../proposals/expire-proposals';
import { ImportRunner } from '../registrar/imports/import-runner';
import { MailRunner } from '../notices/mail-runner';
import { CLAIM_MS } from '../webhooks/send-deliveries';
import { WebhookRunner } from '../webhooks/webhook-runner';
import { CleanUp } from '../retention/clean-up';

/** Ends the leases of a killed process if no other process uses the database. */
@injectable()
export class FormerLeases {
  private readonly startedAt: Date;

  constructor(
    @inject(UnitOfWork)
    private readonly unitOfWork: UnitOfWork<'deliveries' | 'idempotencyRecords' | 'mails' | 'operations'>,
    @inject(Clock) private readonly clock: Clock,
    @inject(TransferRunner) private readonly transfers: TransferRunner,
    @inject(OperationSettings) private readonly settings: OperationSettings,
  ) {
    this.startedAt = clock.now();
  }

  /** The leases of this process are newer. */
  async end(): Promise<void> {
    if (!this.settings.alone) return;
    const until = new Date(this.startedAt.getTime() + this.settings.leaseMs);
    await this.unitOfWork.run(async ({ deliveries, idempotencyRecords, mails, operations }) => {
      const now = this.clock.now();
      await operations.endLeases(until, now);
      await deliveries.endClaims(now, new Date(now.getTime() + CLAIM_MS));
      await mails.endClaims(now);
      await idempotencyRecords.endLeases(until);
    });
    await this.transfers.endFormerLeases();
  }
}

/** The background work that one process at a time does: under a lease, or under the lock of a zone. */
@injectable()
class LeasedWork {
  private readonly works: readonly { start(): void; stop(): Promise<void> }[];

  constructor(
    @inject(ImportRunner) imports: ImportRunner,
    @inject(BulkRunner) bulkJobs: BulkRunner,
    @inject(NightlyReconciliation) reconciliation: NightlyReconciliation,
    @inject(AliasFollower) aliases: AliasFollower,
    @inject(HealthMonitor) health: HealthMonitor,
    @inject(RefreshSignatures) signatures: RefreshSignatures,
    @inject(CdsScanner) cdsScanner: CdsScanner,
    @inject(ZoneVerifier) zoneVerifier: ZoneVerifier,
    @inject(WebhookRunner) webhooks: WebhookRunner,
    @inject(DiscoveryRunner) discovery: DiscoveryRunner,
    @inject(ExpireProposals) expiredProposals: ExpireProposals,
  ) {
    this.works = [
      imports,
      bulkJobs,
      reconciliation,
      aliases,
      health,
      signatures,
      cdsScanner,
      zoneVerifier,
      webhooks,
      discovery,
      expiredProposals,
    ];
  }

  start(): void {
    for (const work of this.works) work.start();
  }

  async stop(): Promise<void> {
    for (const work of this.works) await work.stop();
  }
}

/** Runs the background work, in the service's process or in a separate worker process. */
@injectable()
export class BackgroundWorker {
  constructor(
    @inject(OperationRunner) private readonly runner: OperationRunner,
    @inject(LifecycleSync) private readonly lifecycle: LifecycleSync,
    @inject(ScheduledWork) private readonly scheduledWork: Pick<ScheduledWork, 'start' | 'stop'>,
    @inject(CleanUp) private readonly cleanUp: Pick<CleanUp, 'start' | 'stop'>,
    @inject(LeasedWork) private readonly leasedWork: Pick<LeasedWork, 'start' | 'stop'>,
    @inject(FormerLeases) private readonly formerLeases: FormerLeases,
    @inject(MailRunner) private readonly mails: Pick<MailRunner, 'start' | 'stop'>,
  ) {}

  async start(): Promise<void> {
    await this.formerLeases.end();
    this.runner.start();
    this.scheduledWork.start();
    this.lifecycle.start();
    this.cleanUp.start();
    this.leasedWork.start();
    this.mails.start();
  }

  async stop(): Promise<void> {
    await this.cleanUp.stop();
    await this.leasedWork.stop();
    await this.lifecycle.stop();
    await this.scheduledWork.stop();
    await this.runner.stop();
    await this.mails.stop();
  }
}
