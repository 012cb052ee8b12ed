import type { ZoneSigning } from '../../../domain/dns/dnssec/zone-signing';
import type { Domain } from '../../../domain/registration/domain';
import type { Stores } from '../../ports/storage/unit-of-work';

/** A zone whose step this process has claimed. */
export interface ClaimedZone {
  readonly signing: ZoneSigning;
  readonly domain: Domain;
}

/** What a step does, after what it read outside any transaction. */
export interface StepEffect {
  /** Within the unit of work that moves the zone on. Returns `off` if signing is off now. `now` is the lifecycle clock's. */
  readonly apply: (
    stores: Pick<Stores, 'domains' | 'operations' | 'signing' | 'zones'>,
    signing: ZoneSigning,
    now: Date,
    domain: Domain,
  ) => Promise<'off' | 'on' | void>;
  /** After the commit. */
  readonly afterwards?: () => Promise<void>;
}
