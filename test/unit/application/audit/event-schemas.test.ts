import {
  accountChanged,
  accountOpened,
  bulkBegun,
  bulkFinished,
  importFinished,
  keyChanged,
  roleChanged,
  trustRuleChanged,
  userChanged,
} from '../../../../src/application/audit/access-audit';
import {
  domainChanged,
  settingsDrifted,
  transferRequestedElsewhere,
} from '../../../../src/application/audit/domain-audit';
import { eventOfFact } from '../../../../src/application/audit/event-of-fact';
import { healthEvents } from '../../../../src/application/audit/health-events';
import { operationEvents, operationFact, registrantRefused } from '../../../../src/application/audit/operation-audit';
import { proposalFact } from '../../../../src/application/audit/proposal-audit';
import { balanceLow, differencesFound } from '../../../../src/application/audit/registry-events';
import {
  cdsRefused,
  rolloverStarted,
  signingChanged,
  signingProgressed,
} from '../../../../src/application/audit/signing-audit';
import {
  connectsChanged,
  serviceConnected,
  serviceDisconnected,
} from '../../../../src/application/audit/service-audit';
import {
  cancellationRequested,
  transferEnded,
  transferProgressed,
  transferRequested,
} from '../../../../src/application/audit/transfer-audit';
import { webhookChanged } from '../../../../src/application/audit/webhook-audit';
import { updateRefused, zoneChanged, zoneDrifted } from '../../../../src/application/audit/zone-audit';
import { RecordPublications } from '../../../../src/application/dns/publishing/record-publications';
import { ExpiryNotices } from '../../../../src/application/lifecycle/expiry-notices';
import { openAccount } from '../../../../src/domain/access/account';
import { SERVICE } from '../../../../src/domain/access/actor';
import type { ApiKeyState } from '../../../../src/domain/access/api-key';
import type { AuditAction, AuditFact } from '../../../../src/domain/access/audit-entry';
import { EVENT_TYPES, OPERATOR_EVENT_TYPES, type EventFact } from '../../../../src/domain/access/events/account-event';
import { ZoneSigning } from '../../../../src/domain/dns/dnssec/zone-signing';
import type { NameImport } from '../../../../src/domain/registrar/name-import';
import { Proposal } from '../../../../src/domain/access/proposals/proposal';
import type { UserState } from '../../../../src/domain/access/people/user';
import type { TrustRule } from '../../../../src/domain/access/trust/trust-rule';
import type { Webhook } from '../../../../src/domain/access/webhooks/webhook';
import type { BulkJob } from '../../../../src/domain/portfolio/bulk-job';
import type { DomainState } from '../../../../src/domain/registration/domain';
import { Operation } from '../../../../src/domain/registration/operations/operation';
import type { OperationRequest } from '../../../../src/domain/registration/operations/operation-request';
import { AccountMove } from '../../../../src/domain/registration/account-move';
import { moveFacts, movedFacts } from '../../../../src/application/audit/move-audit';
import { addDays } from '../../../../src/domain/shared/time/calendar';
import { ValidationError } from '../../../../src/domain/shared/validation-error';
import { eventDocument } from '../../../../src/application/events/event-document';
import { aDomain, A_REGISTRANT } from '../../../support/data/a-domain';
import { aRecord } from '../../../support/data/a-record';
import { aTransfer } from '../../../support/data/a-transfer';
import { assertValid, pointerTo } from '../../../support/http/openapi';
import { OURS, UseCaseContext } from '../../../support/use-cases/use-case-context';

const AT = new Date('2026-02-01T12:00:00.000Z');
const DOMAIN = aDomain({ status: 'active' });
const ACTIVE = DOMAIN.toState();
const PRICE = { minor: 1_044, currency: 'USD' };
const ACCOUNT = openAccount('acc_1', 'Acme', AT);
const PROPOSAL_ACTIONS = [
  'proposal.created',
  'proposal.accepted',
  'proposal.rejected',
  'proposal.withdrawn',
  'proposal.stale',
  'proposal.failed',
  'proposal.expired',
] as const;
const MOVE = AccountMove.propose(
  {
    id: 'move_1',
    accountId: 'acc_1',
    toAccountId: 'acc_2',
    domainId: ACTIVE.id,
    name: ACTIVE.name,
    zones: [`sub.${ACTIVE.name}`],
    effects: { ends: [], comes: [] },
    proposer: OURS.actor,
    reason: 'Sold',
  },
  AT,
);
const moveFactsOf = () => [
  ...(['move.proposed', 'move.rejected', 'move.withdrawn'] as const).flatMap((action) =>
    moveFacts(MOVE, action, { accountId: 'acc_1', actor: OURS.actor, at: AT }),
  ),
  ...movedFacts(MOVE.toState(), ACTIVE, { accountId: 'acc_2', actor: OURS.actor, at: AT }),
];
const ZONE_CHANGE = { at: AT, requester: OURS, domain: { id: ACTIVE.id, name: ACTIVE.name }, version: 7 };
const CONNECTION = {
  ...ZONE_CHANGE,
  service: {
    id: 'svc_1',
    accountId: 'acc_1',
    domainId: ACTIVE.id,
    providerId: 'provider.example',
    serviceId: 'shop',
    providerName: 'Example Provider',
    serviceName: 'Web shop',
    host: 'www',
    groups: null,
    records: [],
    spf: [],
    zoneVersion: 7,
    connectedBy: SERVICE,
    connectedAt: AT,
  },
};
const SCHEMA = ['post', 'requestBody', 'content', 'application/json', 'schema'];
/** No event may have any of it. */
const PRIVATE = /@|Lovelace|secret|\+44/;

const changed = (action: AuditAction, before: Partial<DomainState>, after: Partial<DomainState>) =>
  domainChanged({ at: AT, actor: SERVICE, action, before: { ...ACTIVE, ...before }, after: { ...ACTIVE, ...after } });

function operation(request: OperationRequest, end?: (running: Operation) => void): Operation {
  const intent = { id: 'op_1', accountId: 'acc_1', domainId: ACTIVE.id, actor: SERVICE, request };
  const queued = Operation.queue(intent, AT);
  queued.begin('worker', addDays(AT, 1), AT);
  end?.(queued);
  return queued;
}

function renewal(end: (running: Operation) => void): Operation {
  return operation({ kind: 'renew', years: 1, price: PRICE }, end);
}

function facts(): readonly (AuditFact | undefined)[] {
  const key = { accountId: 'acc_1', keyId: 'k1', name: 'deploy', scope: 'READ', secretDigest: 'secret', expiresAt: AT };
  const user = { id: 'usr_1', accountId: 'acc_1', email: 'ada@example.com', role: 'member', tags: ['shop'] };
  const job = { id: 'blk_1', accountId: 'acc_1', actor: SERVICE, action: { kind: 'auto_renewal' }, updatedAt: AT };
  const transfer = aTransfer().toState();
  const template = { accountId: 'acc_1', at: AT, actor: SERVICE, domain: null, subject: 'web', before: {} };
  const later = addDays(ACTIVE.expiresAt, 365);
  const register = operation({ kind: 'register', years: 1, price: PRICE, registrantRefused: 'no such country' });
  register.succeed(AT);
  const refused = operation({ kind: 'register', years: 1, price: PRICE }, (running) =>
    running.fail({ code: 'REGISTRY_REJECTED', message: 'taken' }, AT),
  );
  const pending = aDomain({ status: 'pending' }).toState();
  return [
    accountOpened({ actor: SERVICE, account: ACCOUNT }),
    ...accountChanged({ at: AT, actor: SERVICE, before: ACCOUNT, account: { ...ACCOUNT, isTrusted: true } }),
    ...(['bulk.started', 'bulk.retried'] as const).map((action) => bulkBegun(action, job as unknown as BulkJob, 3)),
    bulkFinished(job as unknown as BulkJob, { waiting: 0, done: 2, failed: 1 }, AT),
    importFinished(
      { ...job, registry: 'com', status: 'finished' } as unknown as NameImport,
      { waiting: 0, imported: 2, present: 1, failed: 0 },
      AT,
    ),
    ...(['key.created', 'key.revoked'] as const).map((action) =>
      keyChanged({ at: AT, actor: SERVICE, action, key: key as unknown as ApiKeyState }),
    ),
    ...(['user.invited', 'user.joined', 'user.removed', 'user.password_set', 'user.totp_added'] as const).map(
      (action) => userChanged({ at: AT, actor: SERVICE, action, user: user as unknown as UserState }),
    ),
    roleChanged({ at: AT, actor: SERVICE, user: user as unknown as UserState, before: { role: 'viewer', tags: null } }),
    domainChanged({ at: AT, actor: SERVICE, action: 'domain.requested', after: pending }),
    domainChanged({ at: AT, actor: SERVICE, action: 'domain.imported', after: ACTIVE }),
    operationFact({ at: AT, operation: register, before: pending, after: ACTIVE }),
    operationFact({ at: AT, operation: refused, before: pending, after: { ...pending, status: 'gone' } }),
    registrantRefused({ at: AT, operation: register, after: ACTIVE }),
    changed('domain.renewed', {}, { expiresAt: later }),
    changed('domain.registrant_changed', {}, { registrant: { ...A_REGISTRANT, email: 'new@example.com' } }),
    changed('domain.tags_changed', {}, { tags: ['shop'] }),
    changed('domain.synchronized', {}, { status: 'expired' }),
    changed('domain.deleted', {}, { status: 'redemption' }),
    changed('domain.deleted', {}, { status: 'gone' }),
    changed('domain.restored', { status: 'redemption' }, {}),
    changed('domain.ds_changed', {}, {}),
    changed('domain.auth_code_issued', {}, {}),
    changed('domain.auth_code_withdrawn', {}, {}),
    changed('domain.transfer_approved', {}, { status: 'transferred_out' }),
    changed('domain.transfer_rejected', {}, {}),
    signingChanged({ at: AT, actor: SERVICE, domain: DOMAIN, before: 'off', after: 'active' }),
    rolloverStarted(DOMAIN, OURS.actor, AT),
    cdsRefused(DOMAIN, 'no signature', AT),
    transferRequested(transfer, AT),
    cancellationRequested(transfer, SERVICE, AT),
    ...(['rejected', 'cancelled', 'expired'] as const).map((status) => transferEnded({ ...transfer, status }, AT)),
    domainChanged({ at: AT, actor: SERVICE, action: 'domain.transferred_in', after: ACTIVE }),
    zoneChanged({ ...ZONE_CHANGE, change: { added: [aRecord()], changed: [], removed: [] } }),
    updateRefused({ ...ZONE_CHANGE, error: ValidationError.of('name', 'is invalid') }),
    ...moveFactsOf(),
    changed('zone.created', { status: 'hosted' }, { status: 'hosted' }),
    changed('zone.verified', { status: 'unverified' }, { status: 'hosted' }),
    changed('zone.withdrawn', { status: 'hosted' }, { status: 'unverified' }),
    changed('zone.deleted', { status: 'hosted' }, { status: 'gone' }),
    serviceConnected(CONNECTION),
    serviceDisconnected(CONNECTION),
    connectsChanged({ ...CONNECTION, connects: false }),
    ...webhookFacts(),
    ...proposalFacts(),
    ...trustRuleFacts(),
    ...(['template.created', 'template.changed', 'template.removed'] as const).map((action) => ({
      ...template,
      action,
      after: { name: 'web', description: '', records: '@ A 192.0.2.1' },
    })),
  ];
}

function webhookFacts(): readonly AuditFact[] {
  const webhook = {
    id: 'whk_1',
    accountId: 'acc_1',
    url: 'https://example.net/secret',
    description: '',
    types: ['domain.*'],
    domains: null,
    tags: null,
    status: 'active',
    reason: null,
    secret: 'secret',
  } as unknown as Webhook;
  const off = { ...webhook, status: 'off', reason: 'failing' } as unknown as Webhook;
  const change = { at: AT, actor: SERVICE };
  return [
    webhookChanged({ ...change, action: 'webhook.created', after: webhook }),
    webhookChanged({ ...change, action: 'webhook.changed', before: webhook, after: { ...webhook, types: null } }),
    webhookChanged({ ...change, action: 'webhook.tested', before: webhook, after: webhook }),
    webhookChanged({ ...change, action: 'webhook.switched_off', before: webhook, after: off }),
    webhookChanged({ ...change, action: 'webhook.removed', before: webhook }),
  ];
}

function trustRuleFacts(): readonly AuditFact[] {
  const settings = {
    name: 'CI',
    issuer: 'https://gitlab.example.com',
    audience: 'names',
    claims: { project_id: ['7'] },
  };
  const rule: TrustRule = {
    ...settings,
    id: 'tru_1',
    accountId: 'acc_1',
    scope: 'READ',
    limits: null,
    minutes: 15,
    madeBy: SERVICE,
    createdAt: AT,
    updatedAt: AT,
    lastUsedAt: null,
  };
  const change = { at: AT, actor: SERVICE };
  return [
    trustRuleChanged({ ...change, action: 'trust_rule.created', after: rule }),
    trustRuleChanged({ ...change, action: 'trust_rule.changed', before: rule, after: { ...rule, minutes: 5 } }),
    trustRuleChanged({ ...change, action: 'trust_rule.removed', before: rule }),
  ];
}

function proposalFacts(): readonly AuditFact[] {
  const write = { method: 'PUT', path: `/api/domains/${ACTIVE.id}/contacts` };
  const plan = { changes: [{ after: { registrant: A_REGISTRANT } }] };
  const intent = { id: 'prop_1', accountId: 'acc_1', proposer: SERVICE, write, sealedBody: 'secret', plan };
  const proposal = Proposal.propose({ ...intent, reason: 'New owner' }, AT);
  return PROPOSAL_ACTIONS.map((action) => proposalFact(proposal, action, SERVICE, AT));
}

/** Of what has no audit entry. */
async function otherEvents(): Promise<readonly EventFact[]> {
  const around = new UseCaseContext();
  const now = around.lifecycleClock.now();
  const notices = new ExpiryNotices(around.storage, around.clock, around.lifecycleClock, around.log);
  await notices.runDue();
  await around.givenDomain({ id: 'dom_1', expiresAt: addDays(now, 30.5) });
  around.lifecycleClock.advance({ days: 1 });
  await notices.runDue();
  const published = { domainId: 'dom_1', zoneName: 'example.com', accountId: OURS.accountId, version: 3, serial: 4 };
  await new RecordPublications(around.storage, around.clock).execute([published]);
  const ended = { at: AT, after: ACTIVE };
  const error = { code: 'REGISTRY_REJECTED', message: 'no credit' } as const;
  const check = { id: 'delegation', state: 'problem', reason: 'x', remedy: 'y' } as never;
  const reconciliation = { registry: 'one', finishedAt: AT, compared: 9, listed: true, differences: 1 };
  const difference = {
    name: 'lost.com',
    kind: 'lock',
    accountId: null,
    domainId: null,
    ours: 'on',
    theirs: 'off',
  } as const;
  const transfer = aTransfer().toState();
  const message = { id: '7', kind: 'low_balance', at: AT, text: 'Balance low' } as const;
  return [
    ...[...around.storage.tables.events.values()].flat(),
    ...operationEvents({ ...ended, operation: renewal((running) => running.succeed(AT)) }, false),
    ...operationEvents({ ...ended, operation: renewal((running) => running.fail(error, AT)) }, false),
    ...operationEvents({ ...ended, operation: renewal((running) => running.markOutcomeUnknown(error, 0, AT)) }, false),
    ...transferRequestedElsewhere(ACTIVE, { ...ACTIVE, transferPending: true, transferEndsAt: AT }, AT),
    ...healthEvents([
      {
        accountId: 'acc_1',
        domain: { id: ACTIVE.id, name: ACTIVE.name },
        before: null,
        after: { checkedAt: AT, state: 'problem', checks: [check], servers: [] },
      },
    ]),
    ...differencesFound(reconciliation, [difference]),
    ...zoneDrifted({ ...ZONE_CHANGE, change: { added: [aRecord()], changed: [], removed: [] } }, { stateOwner: '' }),
    settingsDrifted(ACTIVE, ['autoRenew', 'dnssec'], SERVICE, AT),
    balanceLow('one', message, AT),
    ...transferProgressed(transfer, { ...transfer, status: 'pending' }, AT),
    ...transferProgressed(transfer, { ...transfer, status: 'approved' }, AT),
    ...transferProgressed({ ...transfer, cancelRequestedAt: AT }, { ...transfer, status: 'pending', error }, AT),
    ...signingProgressed(DOMAIN, 'caches', ZoneSigning.request(ACTIVE.id, 'nsec', AT), AT),
  ];
}

describe('events', () => {
  it('of every type are as the OpenAPI document describes them, without contacts and secrets', async () => {
    const all = [...facts().flatMap((fact) => (fact && eventOfFact(fact)) ?? []), ...(await otherEvents())];

    for (const event of all) {
      const shown: unknown = JSON.parse(JSON.stringify(eventDocument({ ...event, position: 1 }, '0123456789')));
      assertValid(pointerTo('webhooks', event.type, ...SCHEMA), shown);
      expect(JSON.stringify(shown)).not.toMatch(PRIVATE);
    }
    const types = new Set(all.map(({ type }) => type));
    expect([...EVENT_TYPES, ...OPERATOR_EVENT_TYPES].filter((type) => !types.has(type))).toEqual([]);
  });
});
