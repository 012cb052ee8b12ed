import { inject, injectable } from '../ports/inject';
import type { Requester } from '../../domain/access/actor';
import { assertActionAllowed } from '../../domain/access/key-permissions';
import { MAX_BULK_REGISTRATIONS, type BulkJob } from '../../domain/portfolio/bulk-job';
import { Nameservers } from '../../domain/registration/nameservers';
import { assertRegistrant, type Registrant } from '../../domain/registration/registrant';
import { RegistrationTerm } from '../../domain/registration/registration-term';
import { DomainName } from '../../domain/shared/domain-name';
import type { Money } from '../../domain/shared/money';
import { validateAll, ValidationError } from '../../domain/shared/validation-error';
import type { TransactionHook } from '../ports/storage/unit-of-work';
import { IdGenerator } from '../ports/system';
import { StartBulkJob } from './start-bulk-job';

interface StartBulkRegistrationsCommand extends Requester {
  readonly orders: readonly {
    readonly name: string;
    /** Default: as of a single registration. */
    readonly years?: number | undefined;
    /** Default: any price. */
    readonly maxPrice?: Money | undefined;
  }[];
  readonly registrant: Registrant;
  /** Default: those of the service. */
  readonly nameservers?: readonly string[] | undefined;
  readonly autoRenew?: boolean | undefined;
}

/**
 * Stores a job that registers many names; `BulkRunner` runs it, each name as if it were ordered alone.
 * @throws ValidationError with the index of each invalid order; InvalidNameservers, LimitedKey, ApprovalNeeded, BulkLimitReached
 */
@injectable()
export class StartBulkRegistrations {
  constructor(
    @inject(StartBulkJob) private readonly startJob: Pick<StartBulkJob, 'start'>,
    @inject(IdGenerator) private readonly ids: IdGenerator,
  ) {}

  async execute(command: StartBulkRegistrationsCommand, hook?: TransactionHook<BulkJob>): Promise<BulkJob> {
    const { accountId, actor, orders, registrant, nameservers, autoRenew = true } = command;
    assertActionAllowed(actor, 'register');
    const names = validNames(command);
    const action = {
      kind: 'registration',
      registrant,
      autoRenew,
      nameservers: nameservers && Nameservers.of(nameservers).hosts,
    } as const;
    const domains = orders.map(({ years, maxPrice }, index) => ({
      domainId: this.ids.next('dom'),
      name: names[index] ?? '',
      ownAction: { kind: 'registration_order', years, maxPrice } as const,
    }));
    return this.startJob.start({ accountId, actor, action, domains }, hook);
  }
}

function validNames({ orders, registrant }: StartBulkRegistrationsCommand): readonly string[] {
  if (orders.length < 1 || orders.length > MAX_BULK_REGISTRATIONS)
    throw ValidationError.of('registrations', `must be 1 to ${MAX_BULK_REGISTRATIONS} registrations`);
  const [, ...names] = validateAll<[void, ...string[]]>(
    () => assertRegistrant(registrant, 'contacts.registrant'),
    ...orders.map(({ name, years }, index) => () => {
      if (years !== undefined) RegistrationTerm.ofYears(years, `registrations[${index}].years`);
      return DomainName.parse(name, `registrations[${index}].name`).value;
    }),
  );
  const repeated = names.findIndex((name, index) => names.indexOf(name) < index);
  if (repeated !== -1) throw ValidationError.of(`registrations[${repeated}].name`, 'is in the list twice');
  return names;
}
