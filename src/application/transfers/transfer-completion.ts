import { inject, injectable } from '../ports/inject';
import { SERVICE } from '../../domain/access/actor';
import { Domain } from '../../domain/registration/domain';
import { Operation } from '../../domain/registration/operations/operation';
import type { OperationRequest } from '../../domain/registration/operations/operation-request';
import { isSameRegistrant } from '../../domain/registration/registrant';
import { readLagMsOf, TldPolicies } from '../../domain/registration/names/tld-policy';
import type { Transfer } from '../../domain/registration/transfers/transfer';
import { addYears, wholeYearsBetween } from '../../domain/shared/time/calendar';
import { domainChanged } from '../audit/domain-audit';
import { LifecyclePlan } from '../operations/lifecycle-plan';
import type { Stores } from '../ports/storage/unit-of-work';
import { Clock, LifecycleClock, IdGenerator, Log } from '../ports/system';
import { addHeldDomain } from '../registrar/add-held-domain';
import type { Progress } from './transfer-progress';

/** RFC 5731 leaves the limit to the registry; ten years is everyone's. */
const MAX_YEARS_AHEAD = 10;

/** What completing a transfer writes. */
export type CompletionStores = Pick<Stores, 'audit' | 'domains' | 'operations' | 'zones' | 'zoneSignings'>;

type Completed = Extract<Progress, { kind: 'completed' }>;

/** Makes a transferred name a domain of its account, and queues what a transfer does not do by itself: registrant and lock. */
@injectable()
export class TransferCompletion {
  constructor(
    @inject(LifecyclePlan) private readonly plan: LifecyclePlan,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
    @inject(Log) private readonly log: Log,
  ) {}

  /** Within the unit of work that has locked the transfer. */
  async apply(
    stores: CompletionStores,
    transfer: Transfer,
    { held, registrant: shown, charged }: Completed,
  ): Promise<void> {
    const { accountId, actor, registrant: wanted, autoRenew, price } = transfer.toState();
    const now = this.lifecycleClock.now();
    const end = { charged, expiresAt: this.expiryShown(transfer, held.expiresAt, now) };
    const present = await stores.domains.lockByName(transfer.name);
    if (present && !present.isHosted) {
      const isOwn = present.toState().accountId === accountId;
      if (isOwn) transfer.complete(present.id, end, now);
      else this.endTaken(transfer, now);
      return;
    }
    const hosted = await stores.domains.lockHosted(transfer.name, accountId);
    const domain = Domain.fromRegistry(
      { id: hosted?.id ?? this.ids.next('dom'), accountId, name: transfer.name, registrant: shown, autoRenew },
      held,
      now,
      hosted,
    );
    const by = { actor, at: this.clock.now() };
    const newId = () => this.ids.next('rec');
    await addHeldDomain(stores, domain, { plan: this.plan, log: this.log, now, hosted, newId, ...by });
    const after = domain.toState();
    const fact = domainChanged({ ...by, action: 'domain.transferred_in', before: hosted?.toState(), after });
    await stores.audit.append({
      ...fact,
      after: { ...fact.after, price: charged ?? price },
      eventData: { transfer_id: transfer.id },
    });
    const isChanged = wanted !== null && !(shown && isSameRegistrant(wanted, shown));
    const mayChange = this.plan.supports(after, 'registrant_change');
    if (isChanged && !mayChange)
      this.log.warn(
        { transferId: transfer.id, domainId: domain.id, name: transfer.name.value },
        'the registry does not set the registrant of a transferred domain to the requested one: change it at the registry',
      );
    const requests: OperationRequest[] = [
      ...(isChanged && mayChange ? [{ kind: 'set_registrant', registrant: wanted } as const] : []),
      ...(held.transferLocked || !this.plan.supports(after, 'transfer_lock')
        ? []
        : [{ kind: 'set_transfer_lock', locked: true } as const]),
    ];
    let last: Operation | undefined;
    for (const request of requests) {
      last = Operation.queue(
        { id: this.ids.next('op'), accountId, domainId: domain.id, actor: SERVICE, request },
        by.at,
        last,
      );
      await stores.operations.add(last);
    }
    transfer.complete(domain.id, end, now);
  }

  /** Undefined if nothing was added so far, for no reason: at a registry whose reads lag, the years may follow. */
  private expiryShown(transfer: Transfer, expiresAt: Date, now: Date): Date | undefined {
    const { formerExpiry, years } = transfer.toState();
    const isUnchanged = formerExpiry !== null && wholeYearsBetween(formerExpiry, expiresAt) === 0;
    const isAtLimit = formerExpiry !== null && addYears(formerExpiry, years) > addYears(now, MAX_YEARS_AHEAD);
    const mayLag = readLagMsOf(this.policies.forName(transfer.name)) > 0;
    return isUnchanged && !isAtLimit && mayLag ? undefined : expiresAt;
  }

  /** An import has given the name to another account meanwhile. Only the operator can decide whose it is. */
  private endTaken(transfer: Transfer, now: Date): void {
    this.log.error(
      { transferId: transfer.id, name: transfer.name.value },
      'a transferred name belongs to another account of this service: decide whose it is',
    );
    transfer.end(
      'rejected',
      { code: 'DOMAIN_UNAVAILABLE', message: 'The transferred name is not free. Ask the operator' },
      now,
    );
  }
}
