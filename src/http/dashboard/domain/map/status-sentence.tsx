import type { CheckId, CheckState, HealthCheck } from '../../../../domain/health/health-check';
import { worstOf } from '../../../../domain/health/health-check';
import { isZoneServed } from '../../../../domain/registration/domain-status';
import { SIGNING_LABELS } from '../../dnssec/describe-signing';
import { STATUS_LABELS } from '../../layout/domain/domain-labels';
import { checkIn, isBroken, stateOf, type MapFacts, type PartState } from './map-parts';
import { StateShape } from './state-shape';

interface Clause {
  readonly state: CheckState;
  readonly text: string;
}

const MAX_NAMED = 3;
const OTHERS: readonly CheckId[] = ['caa', 'cname_targets', 'expiry', 'transfer_lock'];

/** What people want to know first, with the worst state of its parts. What was not checked is not OK. */
export function StatusSentence({ facts }: { readonly facts: MapFacts }) {
  const { domain, report } = facts;
  const { state, text } = sentenceOf(facts);
  const others = otherFindings(facts).length;
  return (
    <p class="status-sentence">
      <StateShape state={state} />
      <span>
        {text}
        {report && (
          <>
            {' · '}
            <a href={`/domains/${domain.id}/health`}>{others === 0 ? 'all checks' : attention(others)}</a>
          </>
        )}
      </span>
    </p>
  );
}

export function sentenceOf(facts: MapFacts): { readonly state: PartState; readonly text: string } {
  const { domain } = facts;
  if (!isZoneServed(domain))
    return {
      state: 'not_applicable',
      text: `Does not resolve, because the domain is ${STATUS_LABELS[domain.status].label}`,
    };
  const clauses = [resolution(facts), servers(facts), signing(facts), mail(facts)];
  return {
    state: worstOf([...clauses, ...otherFindings(facts)].map(({ state }) => state)),
    text: clauses.map(({ text }) => text).join(' · '),
  };
}

/** What the clauses do not tell of. */
function otherFindings({ report }: MapFacts): readonly HealthCheck[] {
  return report?.checks.filter(({ id, state }) => OTHERS.includes(id) && isBroken(state)) ?? [];
}

function attention(count: number): string {
  return count === 1 ? '1 more check needs attention' : `${count} more checks need attention`;
}

function clause(state: CheckState, texts: Readonly<Record<CheckState, string>>): Clause {
  return { state, text: texts[state] };
}

function resolution({ report }: MapFacts): Clause {
  return clause(stateOf(checkIn(report, 'resolution')), {
    ok: 'Resolves',
    warning: 'Resolves, but the zone names other nameservers',
    problem: 'Does not resolve',
    unknown: report ? 'Could not be resolved' : 'Not checked yet',
    not_applicable: 'Is not resolved',
  });
}

function servers({ report, nameservers }: MapFacts): Clause {
  const check = checkIn(report, 'nameservers');
  const state = stateOf(check);
  if (nameservers.length === 0) return { state: 'problem', text: 'no nameservers' };
  if (check && (state === 'problem' || state === 'warning')) return { state, text: lowerFirst(check.summary) };
  const named =
    nameservers.length > MAX_NAMED
      ? `${nameservers.length} nameservers`
      : joined(nameservers.map((host) => labelOf(host, nameservers)));
  return { state, text: state === 'ok' ? `served by ${named}` : `delegated to ${named}` };
}

function signing({ report, signing: { signing: own } }: MapFacts): Clause {
  const state = stateOf(checkIn(report, 'dnssec'));
  const shown = own?.shownState;
  if (shown === 'error') return { state: 'problem', text: 'DNSSEC needs attention' };
  if (shown && shown !== 'active') return { state: 'ok', text: `DNSSEC: ${SIGNING_LABELS[shown].label}` };
  return clause(state, {
    ok: 'signed',
    warning: 'signed, without DS records at the parent',
    problem: 'DNSSEC is broken',
    unknown: shown === 'active' ? 'signed, the chain was not checked' : 'DNSSEC not known',
    not_applicable: 'not signed',
  });
}

const MAIL: readonly CheckId[] = ['mx', 'spf', 'dmarc'];

function mail({ report }: MapFacts): Clause {
  if (checkIn(report, 'mx')?.state === 'not_applicable') return { state: 'not_applicable', text: 'receives no mail' };
  const states = MAIL.map((id) => stateOf(checkIn(report, id)));
  return clause(worstOf(states), {
    ok: 'mail is set up',
    warning: 'mail needs attention',
    problem: 'mail is broken',
    unknown: 'mail not known',
    not_applicable: '',
  });
}

/** `ns1` if no other host begins like that. */
function labelOf(host: string, all: readonly string[]): string {
  const [label = host] = host.split('.');
  return all.filter((other) => other.startsWith(`${label}.`)).length === 1 ? label : host;
}

function joined(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1) ?? ''}`;
}

function lowerFirst(text: string): string {
  const plain = text.endsWith('.') ? text.slice(0, -1) : text;
  return /^[A-Z][a-z]+ /.test(plain) ? plain.charAt(0).toLowerCase() + plain.slice(1) : plain;
}
