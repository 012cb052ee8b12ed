import { createHash } from 'node:crypto';
import { inject, injectable } from '../../ports/inject';
import { actorOfKey, includesScope, type ApiKeyState, type Scope } from '../../../domain/access/api-key';
import type { Actor } from '../../../domain/access/actor';
import {
  assertAddressAllowed,
  assertOwnerAllowed,
  assertRecordAllowed,
  LimitedKey,
  limitsOf,
  mayDo,
  mayOnlyPropose,
  maySeeDomain,
  maySeeRecord,
} from '../../../domain/access/key-permissions';
import type { DnsRecord } from '../../../domain/dns/records/dns-record';
import { applyUpdate, uniqueNames } from '../../../domain/dns/update/apply-update';
import { failedPrerequisite, type ZoneContent } from '../../../domain/dns/update/prerequisites';
import type {
  InvalidUpdate,
  Prerequisite,
  PrerequisiteFailure,
  UpdateChange,
  UpdateMessage,
} from '../../../domain/dns/update/update-message';
import { groupedBy } from '../../../domain/shared/grouped-by';
import { DomainNotFound } from '../../../domain/shared/domain-errors';
import { ServiceError } from '../../../domain/shared/service-error';
import { ApprovalNeeded } from '../../access/approvals/approval-needed';
import { PublishedZones, type PublishedZone } from '../../ports/dns/publishing';
import type { ZoneChange } from '../../../domain/dns/zone-change';
import { Clock, IdGenerator } from '../../ports/system';
import { runCooperatively } from '../../shared/run-cooperatively';
import { PublicationWait } from '../publishing/publication-wait';
import { replacement } from '../zones/zone-replacement';
import type { CurrentZone } from '../zones/zone-loader';
import type { ZoneDecision } from '../zones/zone-request';
import { ZoneWriter } from '../zones/zone-writer';
import { UpdateReports } from './update-reports';

/** The response code of an update: RFC 2136, section 2.2. */
export type UpdateOutcome = 'NOERROR' | 'NOTAUTH' | 'REFUSED' | 'SERVFAIL' | InvalidUpdate | PrerequisiteFailure;

/** `reason`: why it is refused, if the client may know how to have the change made. */
export interface UpdateResult {
  readonly outcome: UpdateOutcome;
  readonly reason?: string;
}

const ONLY_PROPOSES = 'limits.propose: the key may only propose changes, with POST /api/proposals';
const NEEDS_APPROVAL = 'approval rules: the change needs a second person; propose it with POST /api/proposals';

interface UpdateZoneCommand {
  readonly key: ApiKeyState;
  readonly zoneName: string;
  readonly message: UpdateMessage;
  /** The same for the same signed message, and for no other. */
  readonly messageId: string;
  /** How long to wait until every secondary serves the change. */
  readonly waitMs: number;
}

/** More are written in a transaction of their own. */
const FEW = 10;
const UNCHANGED: ZoneChange = { added: [], changed: [], removed: [] };

/** Changes a zone by dynamic update (RFC 2136) as the account of a TSIG key: all of it or nothing, in one version. */
@injectable()
export class UpdateZone {
  constructor(
    @inject(ZoneWriter) private readonly writer: ZoneWriter,
    @inject(PublishedZones) private readonly zones: PublishedZones,
    @inject(PublicationWait) private readonly publication: PublicationWait,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(UpdateReports) private readonly reports: UpdateReports,
  ) {}

  async execute(command: UpdateZoneCommand): Promise<UpdateResult> {
    const { key, zoneName } = command;
    const zone = await this.findZone(key, zoneName, 'WRITE');
    if (!zone) return { outcome: 'NOTAUTH' };
    try {
      return { outcome: await this.update(zone, command) };
    } catch (error) {
      if (error instanceof DomainNotFound) return { outcome: 'NOTAUTH' };
      if (!(error instanceof ServiceError)) throw error;
      const actor = actorOfKey(key);
      await this.reports.reportRefused({ accountId: key.accountId, actor }, zone, error);
      if (mayOnlyPropose(actor)) return { outcome: 'REFUSED', reason: ONLY_PROPOSES };
      if (error instanceof ApprovalNeeded) return { outcome: 'REFUSED', reason: NEEDS_APPROVAL };
      return { outcome: error.code === 'SERVICE_UNAVAILABLE' ? 'SERVFAIL' : 'REFUSED' };
    }
  }

  /** Whether the key may be used from an address; logs why not. */
  isAllowedFrom(key: ApiKeyState, address: string, proof: { readonly isProven: boolean }): boolean {
    try {
      assertAddressAllowed(key.limits, address, proof);
      return true;
    } catch (error) {
      if (!(error instanceof LimitedKey)) throw error;
      this.reports.reportRefusedAddress(key, error);
      return false;
    }
  }

  /** The zone, if it belongs to the key's account and its scope and limits allow `scope`. */
  async findZone(key: ApiKeyState, zoneName: string, scope: Scope): Promise<PublishedZone | undefined> {
    const zone = await this.zones.find(zoneName);
    const actor = actorOfKey(key);
    if (!zone || zone.accountId !== key.accountId) return undefined;
    const isVisible =
      maySeeDomain(actor, { name: zoneName, tags: zone.tags }) && (scope !== 'READ' || mayDo(actor, 'read'));
    return isVisible && includesScope(key.scope, scope) ? zone : undefined;
  }

  private async update(
    zone: PublishedZone,
    { key, message, messageId, waitMs }: UpdateZoneCommand,
  ): Promise<UpdateOutcome> {
    const request = {
      domainId: zone.domainId,
      accountId: key.accountId,
      actor: actorOfKey(key),
    };
    const ids = hasPrerequisites(message)
      ? message.changes.map((_change, index) => deriveRecordId(messageId, index))
      : message.changes.map(() => this.ids.next('rec'));
    const decide = (current: CurrentZone) => this.decide(current, message, { ids, actor: request.actor });
    const isLarge = message.prerequisites.length + message.changes.length > FEW;
    const { result, zone: written } = await (isLarge
      ? this.writer.write(request, decide)
      : this.writer.writeFew(request, decide));
    if (result !== 'NOERROR') return result;
    const publication = await this.publication.wait(written, waitMs);
    if (publication === 'late') this.reports.reportLate(request.actor, written);
    return 'NOERROR';
  }

  /** In the order of RFC 2136, section 3, but for the limits of the key. Deletes and adds the same record as no change. */
  private async decide(
    zone: CurrentZone,
    message: UpdateMessage,
    { ids, actor }: { readonly ids: readonly string[]; readonly actor: Actor },
  ): Promise<ZoneDecision<UpdateOutcome>> {
    const now = this.clock.now();
    const { accountId, zoneName, delegation, types } = zone;
    const { prerequisites, invalid } = message;
    const changes = allowedChanges(actor, message.changes);
    const records = await zone.recordsAt(uniqueNames([...prerequisites, ...changes]));
    const contentOf = (some: readonly DnsRecord[]): ZoneContent => {
      const byName = groupedBy(some, ({ name }) => name);
      return { zoneName, delegation, types, recordsAt: (name) => byName.get(name) ?? [] };
    };
    assertMayAsk(actor, prerequisites);
    // Carried out before, by another replica or before a restart: the client missed the response.
    if (hasPrerequisites(message) && (await zone.records(ids)).size > 0)
      return { change: UNCHANGED, result: 'NOERROR' };
    const visible = records.filter((record) => maySeeRecord(actor, record));
    const failure = failedPrerequisite(message, contentOf(visible)) ?? invalid?.outcome;
    if (failure) return { change: UNCHANGED, result: failure };
    const unusedIds = [...ids];
    const newId = (): string => unusedIds.shift() ?? this.ids.next('rec');
    const wanted = await runCooperatively(applyUpdate(changes, contentOf(records), newId, now), accountId);
    const changedNames = new Set(uniqueNames(changes));
    const before = records.filter(({ name }) => changedNames.has(name)).map((record) => record.toState());
    const change = await runCooperatively(replacement(before, wanted, delegation, now, { isReadBack: false }));
    return { change, result: 'NOERROR' };
  }
}

/**
 * A prerequisite must not reveal what the key may not read. One about a name is judged by the records that the key may see.
 * @throws LimitedKey
 */
function assertMayAsk(actor: Actor, prerequisites: readonly Prerequisite[]): void {
  for (const { name, type } of prerequisites.map((each) => ({ type: undefined, ...each }))) {
    if (type === undefined) assertOwnerAllowed(actor, name);
    // Anyone may ask for the SOA.
    else if (type !== 'SOA') assertRecordAllowed(actor, { name, type });
  }
}

/**
 * Changes are judged by what they ask, not by what is stored, because the response would reveal it. A key for some types deletes
 * the records of these types when it deletes a name. @throws LimitedKey
 */
function allowedChanges(actor: Actor, changes: readonly UpdateChange[]): readonly UpdateChange[] {
  const types = limitsOf(actor)?.types;
  return changes.flatMap((change): readonly UpdateChange[] => {
    const { kind, name } = change;
    if (kind === 'delete_name') {
      assertOwnerAllowed(actor, name);
      return types?.map((type) => ({ kind: 'delete_set', name, type })) ?? [change];
    }
    assertRecordAllowed(actor, { name, type: change.type });
    return [change];
  });
}

/** Without any, carrying out a message again changes nothing. */
function hasPrerequisites({ prerequisites }: UpdateMessage): boolean {
  return prerequisites.length > 0;
}

/** The id of a new record, by which every replica knows the message again. Ids of one message keep its order. */
function deriveRecordId(messageId: string, index: number): string {
  const digest = createHash('sha256').update(messageId).digest('hex').slice(0, 22);
  return `rec_${digest}${index.toString(36).padStart(4, '0')}`;
}
