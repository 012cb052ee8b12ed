import { token } from '../inject';
import type { Actor } from '../../../domain/access/actor';
import type { HostedName } from '../../../domain/dns/hosted-name';
import type { DnsRecord } from '../../../domain/dns/records/dns-record';
import type { Stores } from '../storage/unit-of-work';
import type { HostedNameReader } from './hosted-names';
import type { ZoneChange } from '../../../domain/dns/zone-change';

export interface HostedZoneChange {
  readonly zone: HostedName;
  readonly change: ZoneChange;
}

/** Has the parent zone publish the present addresses of nameservers under the name itself (glue). */
export interface GlueChanges {
  /** In the transaction of the changes, which has locked their zones. */
  queue(
    stores: Pick<Stores, 'domains' | 'hostedNames' | 'operations'>,
    changes: readonly HostedZoneChange[],
  ): Promise<void>;
  /** What a change means for the registry, one sentence for each nameserver whose records the actor may see. */
  notes(
    names: Pick<HostedNameReader, 'nameserversAmong'>,
    changed: HostedZoneChange,
    after: readonly Pick<DnsRecord, 'type' | 'name'>[],
    actor: Actor,
  ): Promise<readonly string[]>;
}
export const GlueChanges = token<GlueChanges>('GlueChanges');
