import type { EntityManager } from 'typeorm';
import type { EventLog } from '../../../application/ports/access/audit-and-events';
import type { LifecycleClock } from '../../../application/ports/system';
import type { EventFact } from '../../../domain/access/events/account-event';
import type { MailNotice } from '../../../domain/access/notices/notice';
import { insertRows, rowOf } from '../database/table';
import { EventTable } from './event-tables';

/** What people are told of an event, if anything. */
export type NoticeOf = (fact: EventFact) => MailNotice | undefined;

export class SqlEventLog implements EventLog {
  constructor(
    private readonly manager: EntityManager,
    private readonly lifecycleClock: LifecycleClock,
    private readonly onAppend: (fact: EventFact) => void = () => undefined,
    /** Stores what people are told of. */
    private readonly tell: (...notices: readonly MailNotice[]) => Promise<void> = async () => undefined,
    private readonly noticeOf: NoticeOf = () => undefined,
  ) {}

  async append(...facts: readonly EventFact[]): Promise<void> {
    const rest = { sequence: null, position: null, retained_from: this.lifecycleClock.now().getTime() };
    for (const fact of facts) this.onAppend(fact);
    await insertRows(
      this.manager,
      EventTable,
      facts.map((fact) => rowOf(EventTable, fact, rest)),
    );
    await this.tell(...facts.flatMap((fact) => this.noticeOf(fact) ?? []));
  }
}
