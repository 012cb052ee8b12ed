import { inject, injectable } from '../../ports/inject';
import { addressesAfter, isSameAddresses } from '../../../domain/dns/alias/alias-addresses';
import { newTarget } from '../../../domain/dns/alias/alias-target';
import { groupedBy } from '../../../domain/shared/grouped-by';
import { AliasReader, type Alias } from '../../ports/dns/alias-repository';
import { UnitOfWork, type Stores } from '../../ports/storage/unit-of-work';
import { StorageUnavailable } from '../../ports/storage/storage-unavailable';
import { Clock, Log } from '../../ports/system';

/** Bounds the memory. */
const ALIASES_AT_ONCE = 200;
/** Fewer transactions, and none holds many zones for long. */
const ZONES_AT_ONCE = 20;
const RETRY_MS = 60_000;

/** Gives due ALIAS records the addresses of their targets. */
@injectable()
export class PublishAddresses {
  constructor(
    @inject(AliasReader) private readonly aliases: AliasReader,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'aliases' | 'zones'>,
    @inject(Clock) private readonly clock: Clock,
    @inject(Log) private readonly log: Log,
  ) {}

  /** Makes targets that are not known yet due for a look-up. Returns whether any ALIAS record was due. */
  async execute(stopping: AbortSignal): Promise<boolean> {
    const now = this.clock.now();
    const due = await this.aliases.dueAliases(now, ALIASES_AT_ONCE);
    if (due.length === 0) return false;
    const targets = [...new Set(due.map(({ target }) => target))];
    await this.unitOfWork.run(({ aliases }) => aliases.addTargets(targets.map((target) => newTarget(target, now))));
    // In order of their ids, in which every group locks its zones.
    const byDomain = [...groupedBy(due, (alias) => alias.domainId)].toSorted(([one], [other]) =>
      one < other ? -1 : 1,
    );
    for (let from = 0; from < byDomain.length && !stopping.aborted; from += ZONES_AT_ONCE)
      await this.publishTogether(
        byDomain.slice(from, from + ZONES_AT_ONCE).map(([domainId, aliases]) => ({
          domainId,
          names: aliases.map(({ name }) => name),
        })),
      );
    return !stopping.aborted;
  }

  /** In one transaction, or one by one if that fails: a zone that cannot be written does not hold up the others. */
  private async publishTogether(zones: readonly DueZone[]): Promise<void> {
    try {
      await this.unitOfWork.run(async (stores) => {
        for (const { domainId, names } of zones) await publish(stores, domainId, names, this.clock.now());
      });
    } catch (error) {
      if (error instanceof StorageUnavailable) throw error;
      const [zone, ...others] = zones;
      if (zone && others.length === 0) await this.postpone(zone, error);
      else for (const each of zones) await this.publishTogether([each]);
    }
  }

  private async postpone({ domainId, names }: DueZone, error: unknown): Promise<void> {
    this.log.error({ err: error, domainId }, 'the addresses of ALIAS records could not be published');
    const later = new Date(this.clock.now().getTime() + RETRY_MS);
    await this.unitOfWork.run(({ aliases }) => aliases.setDue(domainId, names, later));
  }
}

/** A zone with due ALIAS records. */
interface DueZone {
  readonly domainId: string;
  readonly names: readonly string[];
}

/** Raises the serial only if addresses or their TTLs change. Afterwards these aliases are not due any more. */
async function publish(
  stores: Pick<Stores, 'aliases' | 'zones'>,
  domainId: string,
  names: readonly string[],
  at: Date,
): Promise<void> {
  const { aliases, zones } = stores;
  const zone = await zones.lock(domainId);
  if (!zone) return;
  const changed = await withOtherAddresses(stores, await aliases.find(domainId, names));
  await aliases.setDue(domainId, names, null);
  if (changed.length === 0) return;
  await aliases.setAddresses(domainId, changed, { serial: zone.serial + 1, at });
  await zones.raiseSerial(domainId, { names: changed.map(({ name }) => name) });
}

async function withOtherAddresses(
  { aliases }: Pick<Stores, 'aliases'>,
  found: readonly Alias[],
): Promise<readonly Alias[]> {
  const known = await aliases.findTargets([...new Set(found.map(({ target }) => target))]);
  const targets = new Map(known.map((target) => [target.target, target]));
  return found.flatMap((alias) => {
    const target = targets.get(alias.target);
    const addresses = target ? addressesAfter(alias.addresses, target) : alias.addresses;
    return isSameAddresses(alias.addresses, addresses) ? [] : [{ ...alias, addresses }];
  });
}
