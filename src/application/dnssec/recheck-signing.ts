import { inject, injectable } from '../ports/inject';
import type { Actor } from '../../domain/access/actor';
import type { ZoneSigning } from '../../domain/dns/dnssec/zone-signing';
import { signingChanged } from '../audit/signing-audit';
import { ZoneSigningReader } from '../ports/dns/signing-repository';
import { UnitOfWork } from '../ports/storage/unit-of-work';
import { Clock, LifecycleClock } from '../ports/system';

/** Makes a zone's next DNSSEC step due, which a running service or worker then takes; a step that failed is tried again. */
@injectable()
export class RecheckSigning {
  constructor(
    @inject(ZoneSigningReader) private readonly signings: Pick<ZoneSigningReader, 'findByName'>,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'audit' | 'domains' | 'zoneSignings'>,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
  ) {}

  /** Undefined if signing is off for the zone, or there is no domain of that name. */
  async execute({ name, actor }: { readonly name: string; readonly actor: Actor }): Promise<ZoneSigning | undefined> {
    const found = await this.signings.findByName(name);
    if (!found) return undefined;
    return this.unitOfWork.run(async ({ audit, domains, zoneSignings }) => {
      const domain = await domains.lockAny(found.domainId);
      const signing = domain && (await zoneSignings.lock(found.domainId));
      if (!domain || !signing) return undefined;
      const before = signing.shownState;
      signing.recheck(this.lifecycleClock.now());
      await zoneSignings.save(signing);
      const after = signing.shownState;
      if (before !== after) await audit.append(signingChanged({ at: this.clock.now(), actor, domain, before, after }));
      return signing;
    });
  }
}
