import { createSecretKey } from 'node:crypto';
import { ChangeSigning } from '../../../src/application/dnssec/change-signing';
import { CacheTimes } from '../../../src/application/dnssec/steps/cache-times';
import type { DnssecSettings } from '../../../src/application/dnssec/dnssec-settings';
import { DsPlan } from '../../../src/application/dnssec/steps/ds-plan';
import { ParentSteps } from '../../../src/application/dnssec/steps/parent-steps';
import { ServedBySecondaries } from '../../../src/application/dnssec/steps/served-by-secondaries';
import { DsSteps } from '../../../src/application/dnssec/steps/ds-steps';
import { StoredLeavingWarnings } from '../../../src/application/dnssec/stored-leaving-warnings';
import { SigningRunner } from '../../../src/application/dnssec/steps/signing-runner';
import { SigningSteps } from '../../../src/application/dnssec/steps/signing-steps';
import { PublicationWait } from '../../../src/application/dns/publishing/publication-wait';
import { GlueAddresses } from '../../../src/application/publishing/glue-addresses';
import { GlueUpdates } from '../../../src/application/publishing/glue-updates';
import { DomainSync } from '../../../src/application/lifecycle/domain-sync';
import { SyncAfterBackup } from '../../../src/application/lifecycle/sync-after-backup';
import { SnapshotApplier } from '../../../src/application/lifecycle/snapshot-applier';
import { ScheduledWork } from '../../../src/application/worker/scheduled-work';
import { ExpiryNotices } from '../../../src/application/lifecycle/expiry-notices';
import { LifecycleSync } from '../../../src/application/lifecycle/lifecycle-sync';
import { QueueLeases } from '../../../src/application/lifecycle/queue-leases';
import { RegistryMessages } from '../../../src/application/lifecycle/registry-messages';
import { Delegations } from '../../../src/application/operations/commands/delegations';
import { DsRecords } from '../../../src/application/operations/commands/ds-records';
import { DomainDeletions } from '../../../src/application/operations/commands/domain-deletions';
import { OperationClaims } from '../../../src/application/operations/operation-claims';
import { OperationExecutor } from '../../../src/application/operations/operation-executor';
import { OperationEffects } from '../../../src/application/operations/operation-effects';
import { OperationHandover } from '../../../src/application/operations/operation-handover';
import { OperationQueue } from '../../../src/application/operations/operation-queue';
import { OperationRunner } from '../../../src/application/operations/operation-runner';
import type { OperationSettings } from '../../../src/application/shared/operation-settings';
import { ServiceOperations } from '../../../src/application/operations/service-operations';
import { OperationWaits } from '../../../src/application/operations/operation-waits';
import { TransfersOut } from '../../../src/application/operations/commands/transfers-out';
import { Registrations } from '../../../src/application/operations/commands/registrations';
import { Renewals } from '../../../src/application/operations/commands/renewals';
import { TakeOverRenewal } from '../../../src/application/registrar/take-over-renewal';
import { ChangeNameservers } from '../../../src/application/registration/settings/change-nameservers';
import { ChangeRegistrant } from '../../../src/application/registration/settings/change-registrant';
import { ChangeTransferLock } from '../../../src/application/registration/settings/change-transfer-lock';
import { ReleaseDomain } from '../../../src/application/transfers/release-domain';
import { DecideTransferOut } from '../../../src/application/registration/decide-transfer-out';
import { DeleteDomain } from '../../../src/application/registration/delete-domain';
import { IssueAuthCode } from '../../../src/application/registration/settings/issue-auth-code';
import { BindingQuotes } from '../../../src/application/operations/binding-quotes';
import { QuoteDomains } from '../../../src/application/registration/quote-domains';
import { FindDomain } from '../../../src/application/registration/find-domain';
import { RegisterDomain } from '../../../src/application/registration/register-domain';
import { RegistrationOrders } from '../../../src/application/registration/registration-orders';
import { RenewDomain } from '../../../src/application/registration/renew-domain';
import { RestoreDomain } from '../../../src/application/registration/restore-domain';
import { CancelTransfer } from '../../../src/application/transfers/cancel-transfer';
import { RequestTransfer } from '../../../src/application/transfers/request-transfer';
import { TransferCompletion } from '../../../src/application/transfers/transfer-completion';
import { TransferLeases } from '../../../src/application/transfers/transfer-leases';
import { TransferOrders } from '../../../src/application/transfers/transfer-orders';
import { TransferOutcome } from '../../../src/application/transfers/transfer-outcome';
import { TransferProgress } from '../../../src/application/transfers/transfer-progress';
import { TransferRunner } from '../../../src/application/transfers/transfer-runner';
import { RegistryGuard } from '../../../src/infrastructure/registry/routing/registry-guard';
import { DEFAULT_LIMITS, type RegistryLimits } from '../../../src/infrastructure/registry/routing/registry-limits';
import { RegistryRouter } from '../../../src/infrastructure/registry/routing/registry-router';
import { AesSecretBox } from '../../../src/infrastructure/system/aes-secret-box';
import { ScriptedParentalAgent } from '../fakes/scripted-parental-agent';
import { ScriptedParentZone } from '../fakes/scripted-parent-zone';
import { ScriptedSigner } from '../fakes/scripted-signer';
import { SETTINGS } from './registration-settings';
import { UseCaseContext } from './use-case-context';

export const OPERATION_SETTINGS: OperationSettings = { waitMs: 5_000, leaseMs: 15_000, alone: false };

/** The circuit breaker never opens: each test scripts the result of every call. */
const LIMITS: RegistryLimits = { ...DEFAULT_LIMITS, concurrency: 10, commandMs: 60_000, failures: 1_000_000 };

const TIMERS = { refresh: 3_600, retry: 600, expire: 1_209_600, negative: 300 };
const STEP_MS = 250;
const MAX_STEPS = 1_000;
const CLOSED_WITHIN_MS = 2_000;

export type ScenarioSettings = Partial<OperationSettings & RegistryLimits>;

/** The use cases that call a registry, as one process of the service has them. Several can share one context. */
export class RegistrationScenario {
  readonly runner: OperationRunner;
  readonly waits: OperationWaits;
  readonly effects: OperationEffects;
  readonly quotes: BindingQuotes;
  readonly quoteDomains: QuoteDomains;
  readonly registerDomain: RegisterDomain;
  readonly orders: RegistrationOrders;
  readonly queue: OperationQueue;
  readonly leaving: StoredLeavingWarnings;
  readonly renewDomain: RenewDomain;
  readonly changeNameservers: ChangeNameservers;
  readonly changeRegistrant: ChangeRegistrant;
  readonly changeTransferLock: ChangeTransferLock;
  readonly takeOverRenewal: TakeOverRenewal;
  readonly issueAuthCode: IssueAuthCode;
  readonly decideTransferOut: DecideTransferOut;
  readonly releaseDomain: ReleaseDomain;
  readonly deleteDomain: DeleteDomain;
  readonly restoreDomain: RestoreDomain;
  readonly lifecycle: LifecycleSync;
  /** Not started: tests of transfers start it. */
  readonly transfers: TransferRunner;
  /** Not started: tests of DNSSEC start it. */
  readonly signing: SigningRunner;
  readonly changeSigning: ChangeSigning;
  readonly signer = new ScriptedSigner();
  readonly parent = new ScriptedParentZone();
  readonly agent = new ScriptedParentalAgent();
  readonly transferOrders: TransferOrders;
  readonly requestTransfer: RequestTransfer;
  readonly cancelTransfer: CancelTransfer;

  constructor(
    { storage, registry, publisher, tlds, plan, ids, clock, lifecycleClock, log }: UseCaseContext,
    overrides: ScenarioSettings = {},
    dnssec: DnssecSettings = { keyLifetimeDays: 0, dsTtlSeconds: 86_400 },
  ) {
    const settings = { ...OPERATION_SETTINGS, ...overrides };
    const guard = new RegistryGuard('scripted', { ...LIMITS, ...overrides }, log);
    const router = new RegistryRouter([{ registry: 'scripted', port: registry, guard }]);
    const secrets = new AesSecretBox(createSecretKey(Buffer.alloc(32, 1)));
    const handover = new OperationHandover(secrets, storage);
    this.quotes = new BindingQuotes(secrets, clock);
    const claims = new OperationClaims(
      storage,
      clock,
      lifecycleClock,
      plan,
      settings,
      new GlueUpdates(tlds, ids, clock, lifecycleClock),
      tlds,
      ids,
      log,
    );
    this.waits = new OperationWaits(storage.operations, storage.domains, handover, log, settings);
    const delegations = new Delegations(router, new GlueAddresses(storage.records, storage.domains, router), tlds, log);
    this.effects = new OperationEffects(
      router,
      new Registrations(router, delegations, tlds, log),
      delegations,
      new Renewals(router, lifecycleClock),
      new DomainDeletions(router, tlds, plan, storage.operations, lifecycleClock),
      new TransfersOut(router),
      new DsRecords(router),
      lifecycleClock,
    );
    const executor = new OperationExecutor(claims, this.effects, handover, this.waits, clock, lifecycleClock, log);
    this.runner = new OperationRunner(storage.operations, router, executor, clock, log, settings);
    const queue = new OperationQueue(storage, this.runner, this.waits, handover, ids, clock, lifecycleClock);
    this.queue = queue;
    const leaving = new StoredLeavingWarnings(storage.zoneSignings, SETTINGS);
    const orders = new RegistrationOrders(registry, tlds, SETTINGS);
    this.leaving = leaving;
    this.orders = orders;
    this.registerDomain = new RegisterDomain(orders, storage, this.runner, ids, clock, lifecycleClock, this.quotes);

    this.changeNameservers = new ChangeNameservers(tlds, queue, leaving);
    this.changeRegistrant = new ChangeRegistrant(queue, tlds);
    this.changeTransferLock = new ChangeTransferLock(queue, tlds);
    this.takeOverRenewal = new TakeOverRenewal(queue, tlds);
    this.issueAuthCode = new IssueAuthCode(queue, tlds, leaving);
    this.decideTransferOut = new DecideTransferOut(queue, tlds);
    this.releaseDomain = new ReleaseDomain(queue, tlds, leaving);
    this.deleteDomain = new DeleteDomain(queue, tlds, plan, lifecycleClock);
    this.transfers = new TransferRunner(
      new TransferLeases(storage, storage.transfers, lifecycleClock, settings, tlds),
      new TransferProgress(router, tlds, secrets, lifecycleClock),
      new TransferOutcome(new TransferCompletion(plan, tlds, ids, clock, lifecycleClock, log), clock, lifecycleClock),
      router,
      this.runner,
      log,
    );
    this.transferOrders = new TransferOrders(router, tlds, storage);
    this.requestTransfer = new RequestTransfer(
      this.transferOrders,
      storage,
      this.transfers,
      secrets,
      ids,
      clock,
      lifecycleClock,
      this.quotes,
    );
    this.cancelTransfer = new CancelTransfer(storage, tlds, this.transfers, clock, lifecycleClock);
    const publication = new PublicationWait(publisher, 10);
    const cacheTimes = new CacheTimes(
      storage.zoneHistory,
      storage.operations,
      { timers: { ...TIMERS } },
      { days: 30, versions: 100 },
      clock,
    );
    const secondaries = new ServedBySecondaries(publication);
    const dsPlan = new DsPlan(this.signer, cacheTimes, SETTINGS, dnssec, lifecycleClock);
    this.signing = new SigningRunner(
      storage,
      storage.zoneSignings,
      new SigningSteps(
        this.signer,
        cacheTimes,
        new DsSteps(
          dsPlan,
          router,
          this.parent,
          new ServiceOperations(storage.operations, this.runner, this.waits, ids, clock),
          dnssec,
        ),
        new ParentSteps(dsPlan, this.agent, secondaries, dnssec, lifecycleClock),
        secondaries,
        tlds,
        storage.zones,
      ),
      clock,
      lifecycleClock,
      log,
      settings,
    );
    this.changeSigning = new ChangeSigning(
      storage,
      this.signing,
      storage.secondaryDirectory,
      SETTINGS,
      clock,
      lifecycleClock,
    );
    const snapshots = new SnapshotApplier(plan, ids, clock, log);
    const sync = new DomainSync(storage, router, plan, snapshots, this.runner, lifecycleClock, log);
    const afterBackup = new SyncAfterBackup(sync, storage.domains, clock);
    this.renewDomain = new RenewDomain(
      storage.domains,
      tlds,
      registry,
      queue,
      lifecycleClock,
      afterBackup,
      this.quotes,
    );
    this.restoreDomain = new RestoreDomain(
      storage.domains,
      tlds,
      router,
      queue,
      lifecycleClock,
      afterBackup,
      this.quotes,
    );
    this.quoteDomains = new QuoteDomains(
      registry,
      tlds,
      SETTINGS,
      this.quotes,
      new FindDomain(storage.domains),
      this.renewDomain,
      this.restoreDomain,
    );
    this.lifecycle = new LifecycleSync(
      storage.domains,
      sync,
      new RegistryMessages(storage, router, new QueueLeases(storage.leases, settings), clock, lifecycleClock, log),
      new ScheduledWork(this.transfers, this.signing, new ExpiryNotices(storage, clock, lifecycleClock, log)),
      this.waits,
      lifecycleClock,
      log,
    );
  }
}

/** Stops time and starts the use cases of one process with a new context. */
export function openScenario(settings: ScenarioSettings = {}): {
  readonly around: UseCaseContext;
  readonly scenario: RegistrationScenario;
} {
  stopTime();
  const around = new UseCaseContext();
  const scenario = new RegistrationScenario(around, settings);
  scenario.runner.start();
  return { around, scenario };
}

/** As `openScenario`, with the steps of DNSSEC and with equal clocks, as outside a sandbox. */
export function openSigningScenario(): ReturnType<typeof openScenario> {
  const { around, scenario } = openScenario();
  around.lifecycleClock.advance({ ms: around.clock.now().getTime() - around.lifecycleClock.now().getTime() });
  scenario.signing.start();
  return { around, scenario };
}

/** Time passes for caches, and then due steps of DNSSEC are taken. */
export async function signAfter(
  { clock, lifecycleClock }: UseCaseContext,
  { signing }: RegistrationScenario,
  seconds: number,
): Promise<void> {
  for (const each of [clock, lifecycleClock]) each.advance({ ms: seconds * 1_000 });
  await signing.runDue();
}

/** Stops every scenario, including one whose registry does not respond, and lets time go on. */
export async function closeScenarios(
  around: UseCaseContext,
  ...scenarios: readonly RegistrationScenario[]
): Promise<void> {
  for (const { runner, transfers, signing, waits } of scenarios) {
    waits.release();
    const stopping = Promise.all([runner.stop(), transfers.stop(), signing.stop()]);
    await pass(around, CLOSED_WITHIN_MS);
    await stopping;
  }
  jest.useRealTimers();
}

/** Timers stand still until `pass` moves them; promises settle as usual. */
export function stopTime(): void {
  jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'queueMicrotask', 'setImmediate'] });
}

/** Runs everything that waits for no timer. */
export async function settled(): Promise<void> {
  for (let round = 0; round < 20; round += 1) await new Promise(setImmediate);
}

/** Lets time pass, for clocks and timers alike, in steps that are short enough for one to cause the next: at most a thousand, or 250 ms. */
export async function pass({ clock, lifecycleClock }: UseCaseContext, ms: number): Promise<void> {
  await settled();
  const longest = Math.max(STEP_MS, ms / MAX_STEPS);
  for (let left = ms; left > 0; left -= longest) {
    const step = { ms: Math.min(left, longest) };
    clock.advance(step);
    lifecycleClock.advance(step);
    await jest.advanceTimersByTimeAsync(step.ms);
  }
  await settled();
}
