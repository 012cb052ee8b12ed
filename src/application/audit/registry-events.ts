import { SERVICE } from '../../domain/access/actor';
import { OPERATOR_FEED, type EventFact } from '../../domain/access/events/account-event';
import type { Difference, Reconciliation } from '../../domain/registrar/reconciliation';
import type { RegistryMessage } from '../ports/registry/registry-port';

/** Differences in one event, and characters of each text: its data has to fit into 64 kB. */
const MAX_SHOWN = 20;
const MAX_TEXT = 500;

/** Of the operator: a comparison has found differences that the one before had not. */
export function differencesFound(
  { registry, finishedAt, compared, differences }: Reconciliation,
  found: readonly Difference[],
): readonly EventFact[] {
  if (found.length === 0) return [];
  const shown = found.slice(0, MAX_SHOWN).map(({ name, kind, accountId, domainId, ours, theirs }) => ({
    name,
    kind,
    account: accountId,
    domain_id: domainId,
    ours: ours.slice(0, MAX_TEXT),
    theirs: theirs.slice(0, MAX_TEXT),
  }));
  const data = { registry, compared, differences, new_count: found.length, new: shown };
  return [{ ...ofOperator(finishedAt), type: 'registry.difference', data }];
}

/** Of the operator: a registry warns of a low balance. */
export function balanceLow(registry: string, { id, text, at }: RegistryMessage, receivedAt: Date): EventFact {
  const data = {
    registry,
    message_id: id.slice(0, MAX_TEXT),
    text: text.slice(0, MAX_TEXT),
    sent_at: at.toISOString(),
  };
  return { ...ofOperator(receivedAt), type: 'registry.low_balance', data };
}

function ofOperator(at: Date): Pick<EventFact, 'accountId' | 'at' | 'actor' | 'domain'> {
  return { accountId: OPERATOR_FEED, at, actor: SERVICE, domain: null };
}
