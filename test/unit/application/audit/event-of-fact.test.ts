import { roleChanged, userChanged } from '../../../../src/application/audit/access-audit';
import { domainChanged, transferRequestedElsewhere } from '../../../../src/application/audit/domain-audit';
import { eventOfFact } from '../../../../src/application/audit/event-of-fact';
import { transferEnded } from '../../../../src/application/audit/transfer-audit';
import { SERVICE } from '../../../../src/domain/access/actor';
import type { AuditAction } from '../../../../src/domain/access/audit-entry';
import { EVENT_TYPES, OPERATOR_EVENT_TYPES } from '../../../../src/domain/access/events/account-event';
import type { UserState } from '../../../../src/domain/access/people/user';
import type { DomainState } from '../../../../src/domain/registration/domain';
import { aDomain, A_REGISTRANT } from '../../../support/data/a-domain';
import { aTransfer } from '../../../support/data/a-transfer';
import { published } from '../../../support/http/openapi';

const AT = new Date('2026-02-01T12:00:00.000Z');
const ACTIVE = aDomain({ status: 'active' }).toState();

/** The event of a change of a domain. */
const eventOf = (action: AuditAction, before: Partial<DomainState>, after: Partial<DomainState>) =>
  eventOfFact(
    domainChanged({ at: AT, actor: SERVICE, action, before: { ...ACTIVE, ...before }, after: { ...ACTIVE, ...after } }),
  );
const later = new Date(ACTIVE.expiresAt.getTime() + 365 * 86_400_000);

describe('the event of an audit entry', () => {
  it.each([
    ['domain.synchronized', { status: 'active' }, { status: 'expired' }, 'domain.expired'],
    ['domain.synchronized', { status: 'expired' }, { status: 'redemption' }, 'domain.redemption'],
    ['domain.deleted', { status: 'active' }, { status: 'redemption' }, 'domain.redemption'],
    ['domain.deleted', { status: 'active' }, { status: 'gone' }, 'domain.deleted'],
    ['domain.synchronized', { status: 'pending_delete' }, { status: 'gone' }, 'domain.deleted'],
    ['domain.synchronized', { status: 'active' }, { status: 'transferred_out' }, 'domain.transfer_out_completed'],
    ['domain.transfer_approved', { status: 'active' }, { status: 'transferred_out' }, 'domain.transfer_out_completed'],
    ['domain.synchronized', { status: 'pending' }, { status: 'active' }, 'domain.registered'],
    ['domain.synchronized', { status: 'redemption' }, { status: 'active' }, 'domain.restored'],
    ['domain.synchronized', { status: 'expired' }, { status: 'active', expiresAt: later }, 'domain.renewed'],
    ['domain.synchronized', {}, { expiresAt: later }, 'domain.renewed'],
    ['domain.synchronized', {}, { transferLocked: !ACTIVE.transferLocked }, 'domain.changed'],
    ['domain.tags_changed', {}, { tags: ['shop'] }, 'domain.changed'],
  ] as const)('is for %s from %j to %j %s', (action, before, after, type) => {
    expect(eventOf(action, before, after)?.type).toBe(type);
  });

  it.each([
    ['domain.deleted', { status: 'active' }, 'domain.deleted', 'gone'],
    ['domain.synchronized', { status: 'pending_delete' }, 'domain.deleted', 'gone'],
    ['domain.transfer_approved', { status: 'active' }, 'domain.transfer_out_completed', 'transferred_out'],
  ] as const)('tells for %s from %j how the domain ended, if its zone stays', (action, before, type, status) => {
    const event = eventOf(action, before, { status: 'hosted' });

    expect(event).toMatchObject({ type, data: { before, after: { status } } });
  });

  it('names contacts that changed, and does not show them', () => {
    const event = eventOf(
      'domain.registrant_changed',
      { registrant: A_REGISTRANT },
      { registrant: { ...A_REGISTRANT, email: 'new@example.com' } },
    );

    expect(event?.data).toEqual({ changed: ['contacts'], before: {}, after: {} });
  });

  it('names people by their id, and never by their e-mail address', () => {
    const user = { id: 'usr_1', accountId: 'acc_1', email: 'ada@example.com', role: 'member', tags: null } as const;
    const change = { at: AT, actor: SERVICE, user: user as unknown as UserState };

    const events = [
      eventOfFact(userChanged({ ...change, action: 'user.invited' })),
      eventOfFact(userChanged({ ...change, action: 'user.password_set' })),
      eventOfFact(roleChanged({ ...change, before: { role: 'viewer', tags: null } })),
    ];

    expect(events.map((event) => [event?.type, event?.data['person'], event?.data['change']])).toEqual([
      ['person.invited', 'usr_1', undefined],
      ['person.changed', 'usr_1', 'password_set'],
      ['person.changed', 'usr_1', 'role_changed'],
    ]);
    expect(JSON.stringify(events)).not.toContain('ada@');
  });

  it('says how a transfer ended', () => {
    const transfer = aTransfer().toState();

    const event = eventOfFact(transferEnded({ ...transfer, status: 'cancelled' }, AT));

    expect(event).toMatchObject({
      type: 'transfer.cancelled',
      data: { transfer_id: transfer.id, name: transfer.name },
    });
  });

  it('exists for a transfer to another registrar only when the registry first shows it', () => {
    const pending = { ...ACTIVE, transferPending: true, transferEndsAt: AT };

    expect(transferRequestedElsewhere(ACTIVE, pending, AT)).toMatchObject([
      { type: 'domain.transfer_out_requested', data: { ends_at: AT.toISOString() } },
    ]);
    expect(transferRequestedElsewhere(pending, pending, AT)).toEqual([]);
    expect(transferRequestedElsewhere(pending, ACTIVE, AT)).toEqual([]);
  });
});

it('every type of an event is described in the OpenAPI document, and no other', () => {
  const { EventType } = published.components.schemas;
  const all = [...EVENT_TYPES, ...OPERATOR_EVENT_TYPES].toSorted();

  expect(Object.keys(published.webhooks).toSorted()).toEqual(all);
  expect(EventType?.enum?.toSorted()).toEqual(all);
});
