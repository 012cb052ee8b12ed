import { inject, injectable } from '../ports/inject';
import { actorText, parseActor, type Reader } from '../../domain/access/actor';
import type { AccountEvent, EventType } from '../../domain/access/events/account-event';
import { limitsOf } from '../../domain/access/key-permissions';
import { actionOfWrite } from '../../domain/access/proposals/write-action';
import { People } from '../access/approvals/people';
import { UnitOfWork } from '../ports/storage/unit-of-work';
import { EventsRemoved, ReadEvents } from './read-events';

/** What people want to hear of; what they or their programs change all day is in the activity. */
export const NOTIFIED_TYPES = [
  'dnssec.cds_refused',
  'domain.auth_code_issued',
  'domain.deleted',
  'domain.expired',
  'domain.expiring',
  'domain.moved_in',
  'domain.moved_out',
  'domain.redemption',
  'domain.registered',
  'domain.registrant_refused',
  'domain.registration_refused',
  'domain.renewal_failed',
  'domain.renewed',
  'domain.restored',
  'domain.transfer_out_completed',
  'domain.transfer_out_rejected',
  'domain.transfer_out_requested',
  'health.changed',
  'key.created',
  'key.revoked',
  'move.proposed',
  'move.rejected',
  'operation.uncertain',
  'person.joined',
  'person.removed',
  'proposal.accepted',
  'proposal.created',
  'proposal.expired',
  'proposal.failed',
  'proposal.rejected',
  'proposal.stale',
  'transfer.cancelled',
  'transfer.completed',
  'transfer.expired',
  'transfer.rejected',
  'webhook.switched_off',
  'zone.verified',
  'zone.withdrawn',
] as const satisfies readonly EventType[];
export type NotifiedType = (typeof NOTIFIED_TYPES)[number];
export type Notification = AccountEvent & { readonly type: NotifiedType };

/** The bell does not count further. */
export const MAX_COUNTED = 99;
/** Events of the account that are searched for a person who has never looked. */
const FIRST_SEARCHED = 200;
const MAX_LISTED = 100;
/** Parts of the feed that a list reads. */
const MAX_READS = 5;
/** People of whom this process remembers what it has counted. */
const MAX_REMEMBERED = 1_000;

interface NotificationsReader extends Reader {
  readonly userId: string;
  readonly seesAccess: boolean;
  /** How far in the account's feed the person has seen it. Undefined: never looked. */
  readonly seenPosition?: number | undefined;
}

interface Counted {
  readonly from: number | undefined;
  readonly rights: string;
  readonly readTo: number;
  readonly count: number;
}

/** The events that a person has not seen, as far as the person may. What the person did is left out. */
@injectable()
export class ReadNotifications {
  private readonly counted = new Map<string, Counted>();

  constructor(
    @inject(ReadEvents) private readonly readEvents: ReadEvents,
    @inject(People) private readonly people: Pick<People, 'areSame'>,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'users'>,
  ) {}

  /** At most `MAX_COUNTED` and one. Each call reads only the events since the last one, in one part of the feed. */
  async count(reader: NotificationsReader): Promise<number> {
    const { userId, seenPosition: from } = reader;
    const rights = JSON.stringify([reader.actor.kind === 'user' && reader.actor.limits, reader.seesAccess]);
    const known = this.counted.get(userId);
    const isKnown = known !== undefined && known.from === from && known.rights === rights;
    const start = isKnown ? known : { readTo: await this.startOf(reader), count: 0 };
    if (start.count > MAX_COUNTED) return start.count;
    const { notifications, readTo } = await this.read(reader, start.readTo, MAX_COUNTED + 1);
    const count = Math.min(start.count + notifications.length, MAX_COUNTED + 1);
    this.remember(userId, { from, rights, readTo, count });
    return count;
  }

  /** After a position, newest first. */
  async list(reader: NotificationsReader, since: number | undefined): Promise<readonly Notification[]> {
    const found: Notification[] = [];
    let position = since ?? (await this.startOf(reader));
    for (let reads = 0; reads < MAX_READS && found.length < MAX_LISTED; reads += 1) {
      const { notifications, readTo, more } = await this.read(reader, position, MAX_LISTED - found.length);
      found.push(...notifications);
      position = readTo;
      if (!more) break;
    }
    return found.toReversed();
  }

  /** Returns where the person had seen it until now. */
  async markSeen(reader: NotificationsReader): Promise<number> {
    const before = reader.seenPosition ?? (await this.startOf(reader));
    const position = await this.lastPosition(reader);
    await this.unitOfWork.run(async ({ users }) => {
      const user = await users.lock(reader.userId);
      user?.seeEventsTo(position);
      if (user) await users.save(user);
    }, reader.accountId);
    return before;
  }

  private async read(reader: NotificationsReader, position: number, limit: number) {
    const query = { ...reader, types: NOTIFIED_TYPES, limit, waitMs: 0 };
    const page = await this.readEvents.execute({ ...query, after: { position } }).catch((error: unknown) => {
      // Retention removed events after it, or a backup was restored: the oldest ones are next.
      if (error instanceof EventsRemoved) return this.readEvents.execute(query);
      throw error;
    });
    const { events, readTo, more } = page;
    const notifications: Notification[] = [];
    for (const event of events as readonly Notification[])
      if (actorText(event.actor) !== actorText(reader.actor) && (await this.concerns(reader, event)))
        notifications.push(event);
    return { notifications, readTo, more };
  }

  /** A proposal concerns who may accept it, and its end who proposed it. */
  private async concerns({ actor, seesAccess }: NotificationsReader, { type, data }: Notification): Promise<boolean> {
    if (!type.startsWith('proposal.')) return true;
    const { method, path, proposed_by: proposer } = data;
    if (type !== 'proposal.created')
      return typeof proposer === 'string' && (await this.people.areSame(actor, parseActor(proposer)));
    const needed = actionOfWrite({ method: String(method), path: String(path) });
    return seesAccess || (needed !== 'owner' && (limitsOf(actor)?.actions?.includes(needed) ?? true));
  }

  private async startOf(reader: NotificationsReader): Promise<number> {
    return reader.seenPosition ?? Math.max(0, (await this.lastPosition(reader)) - FIRST_SEARCHED);
  }

  private async lastPosition(reader: NotificationsReader): Promise<number> {
    const { readTo } = await this.readEvents.execute({ ...reader, types: [], after: 'latest', limit: 1, waitMs: 0 });
    return readTo;
  }

  private remember(userId: string, counted: Counted): void {
    this.counted.delete(userId);
    this.counted.set(userId, counted);
    const [oldest] = this.counted.keys();
    if (this.counted.size > MAX_REMEMBERED && oldest !== undefined) this.counted.delete(oldest);
  }
}
