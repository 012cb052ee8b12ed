import { inject, injectable } from '../ports/inject';
import type { DesiredRegistration, SettingValues } from '../../domain/portfolio/desired-state';
import { SETTING_PATHS } from '../../domain/portfolio/desired-state';
import { assertNoApprovalNeeded } from '../access/approvals/approval-needed';
import type { DomainState } from '../../domain/registration/domain';
import { DomainUnavailable } from '../../domain/registration/registration-errors';
import { isWithin, moneyText } from '../../domain/shared/money';
import { ValidationError } from '../../domain/shared/validation-error';
import { ZoneCommit } from '../dns/zones/zone-commit';
import { ZoneWriter } from '../dns/zones/zone-writer';
import { IdGenerator } from '../ports/system';
import { UnitOfWork, type TransactionHook, type CommitStore, type Stores } from '../ports/storage/unit-of-work';
import { RegisterDomain } from '../registration/register-domain';
import { RegistrationOrders, type RegistrationOrder } from '../registration/registration-orders';
import { StatePlanOutdated } from './state-errors';
import { NO_CHANGE, planOnly, type StateCommand, type StatePlan } from './state-plan';
import { StateRecords } from './state-records';
import { StoredStates } from './stored-states';
import { StateSettings, type PreparedSettings } from './state-settings';

interface Prepared {
  readonly order: RegistrationOrder;
  readonly settings: PreparedSettings;
}

/** A file that stays in Git must not buy again what was deleted or moved away, also if it was never applied before. */
const LAPSED =
  'The account had this name and it is gone, and a state does not register it again. Register it with POST /api/domains';

/**
 * Registers a name that a desired state wants and that is not registered here: the order, the settings and the records are one
 * transaction. Nothing is ordered above the price of the state.
 */
@injectable()
export class RegisterByState {
  constructor(
    @inject(RegistrationOrders) private readonly orders: Pick<RegistrationOrders, 'review'>,
    @inject(RegisterDomain) private readonly registerDomain: Pick<RegisterDomain, 'within' | 'wake'>,
    @inject(StateSettings) private readonly settings: StateSettings,
    @inject(StateRecords) private readonly records: StateRecords,
    @inject(ZoneCommit) private readonly commit: Pick<ZoneCommit, 'within'>,
    @inject(ZoneWriter) private readonly writer: Pick<ZoneWriter, 'inWholeZoneSlot' | 'countAndNotify'>,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<CommitStore>,
    @inject(StoredStates) private readonly stored: StoredStates,
    @inject(IdGenerator) private readonly ids: IdGenerator,
  ) {}

  /** @param hosted the name, if the account hosts its zone */
  async plan(command: StateCommand, wanted: DesiredRegistration, hosted?: DomainState): Promise<StatePlan> {
    const prepared = await this.prepare(command, wanted);
    return planOnly((hook) => this.store(command, prepared, { hosted, isPlan: true }, hook));
  }

  async execute(
    command: StateCommand,
    wanted: DesiredRegistration,
    hook: TransactionHook<StatePlan>,
    hosted?: DomainState,
  ): Promise<StatePlan> {
    const prepared = await this.prepare(command, wanted);
    const { price } = prepared.order;
    assertNoApprovalNeeded(command.actor, { kind: 'purchases', tags: [], total: price }, () => undefined);
    const { plan, wake } = await this.store(command, prepared, { hosted, isPlan: false }, hook);
    wake();
    return plan;
  }

  /** Asks the registry for the price. @throws ValidationError if it is above that of the state, as `RegistrationOrders.review` */
  private async prepare(
    { accountId, actor, name, state }: StateCommand,
    { maxPrice, years }: DesiredRegistration,
  ): Promise<Prepared> {
    const requester = { accountId, actor };
    if (await this.stored.hasGone(accountId, name)) throw new DomainUnavailable(LAPSED);
    const settings = await this.settings.prepare(requester, name, state.settings ?? {});
    const { registrant, nameservers, autoRenew } = settings.wanted;
    if (!registrant)
      throw ValidationError.of(SETTING_PATHS.registrant, 'must be given for a name that is to be registered');
    const order = await this.orders.review(requester, { name, years, registrant, nameservers, autoRenew });
    if (!isWithin(order.price, maxPrice))
      throw ValidationError.of(
        'max_price',
        `is ${moneyText(maxPrice)}, and the registration costs ${moneyText(order.price)}`,
      );
    return { order, settings };
  }

  private async store(
    command: StateCommand,
    { order, settings: prepared }: Prepared,
    { hosted, isPlan }: { readonly hosted: DomainState | undefined; readonly isPlan: boolean },
    hook: TransactionHook<StatePlan>,
  ) {
    const { accountId, actor, name, state, expected } = command;
    const requester = { accountId, actor };
    const ids = { domainId: this.ids.next('dom'), operationId: this.ids.next('op') };
    const { records } = state;
    const decide = records && this.records.decideFor(actor, records);
    const work = async (stores: Pick<Stores, CommitStore>) => {
      const before = await zoneVersionIn(stores, hosted);
      if (expected && expected.zone !== before)
        throw new StatePlanOutdated(`${name} is at version ${before}, not ${expected.zone}`);
      const { domain, operation } = await this.registerDomain.within(stores, requester, order, ids);
      const request = { ...requester, domainId: domain.id, isState: true };
      const written = decide && (await this.commit.within(stores, { request, decide }));
      const applied = await this.settings.apply(stores, requester, domain.id, prepared);
      const zoneVersion = await zoneVersionIn(stores, domain.toState());
      if (!isPlan) await this.stored.put(stores, command, domain.toState(), zoneVersion);
      const plan: StatePlan = {
        name,
        domainId: isPlan ? hosted?.id : domain.id,
        change: written?.result.change ?? NO_CHANGE,
        settings: wantedChanges(prepared.wanted),
        operations: [operation, ...applied.operations],
        cost: order.price,
        warnings: [
          ...new Set([...(written?.result.warnings ?? []), ...(written?.warnings ?? []), ...applied.warnings]),
        ],
        versions: isPlan ? { zone: before, settings: null } : { zone: zoneVersion, settings: applied.versions.after },
      };
      await hook(stores, plan);
      const wake = () => {
        if (written) this.writer.countAndNotify(requester, [written]);
        this.registerDomain.wake(domain);
        this.settings.wake(applied);
      };
      return { plan, wake };
    };
    const run = () => this.unitOfWork.run(work, accountId, { isLong: records !== undefined });
    return records ? this.writer.inWholeZoneSlot(requester, run) : run();
  }
}

async function zoneVersionIn(
  { zones }: Pick<Stores, CommitStore>,
  name: Pick<DomainState, 'id'> | undefined,
): Promise<number> {
  return (name && (await zones.lock(name.id))?.version) ?? 0;
}

/** All of them: the name has none before. */
function wantedChanges(wanted: Partial<SettingValues>): StatePlan['settings'] {
  return (Object.keys(SETTING_PATHS) as readonly (keyof SettingValues)[]).flatMap((name) => {
    const after = wanted[name];
    return after === undefined ? [] : [{ name, before: null, after }];
  });
}
