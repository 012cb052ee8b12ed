import type { DomainHealth } from '../../../application/health/read-health';
import { CHECK_STATES, type CheckId, type HealthAction, type HealthCheck } from '../../../domain/health/health-check';
import type { DomainState } from '../../../domain/registration/domain';
import { DomainLayout } from '../layout/domain/domain-layout';
import { hasPage } from '../layout/domain/domain-parts';
import { formatTimeAgo } from '../layout/dates';
import { Badge, Card, Empty, Time } from '../layout/components';
import { useMayDo } from '../layout/may-do';
import { PostForm } from '../layout/forms/forms';
import { usePage } from '../layout/page-context';
import { SANDBOX_HEALTH } from '../../shared/sandbox-health';
import { HealthBadge } from './health-badge';
import { Explain, isTerm } from '../layout/explain';
import { ACTION_LINKS, CHECK_TITLES, checkLabel, STATE_LABELS } from './health-labels';

export function HealthPage({ health: { domain, report } }: { readonly health: DomainHealth }) {
  const state = domain.toState();
  const { now, sandbox } = usePage();
  return (
    <DomainLayout domain={state} tab="health">
      <Card title="Health" aside={<HealthBadge state={report?.state} />}>
        {report ? (
          <p>
            {countText(report.checks)} Checked <Time at={report.checkedAt}>{formatTimeAgo(report.checkedAt, now)}</Time>
            .
          </p>
        ) : (
          <p>This domain was not checked yet. Domains are checked in the background; you can also check it now.</p>
        )}
        {sandbox && <p class="hint">{SANDBOX_HEALTH}</p>}
        <PostForm action={`/domains/${domain.id}/health`} class="inline-form">
          <p class="actions mt-4">
            <button class={report ? undefined : 'primary'} type="submit">
              Check now
            </button>
          </p>
        </PostForm>
      </Card>
      <Card title="Checks" class="flush">
        {report ? (
          <ul class="activity health-checks">
            {worstFirst(report.checks).map((check) => (
              <Check key={check.id} check={check} domain={state} />
            ))}
          </ul>
        ) : (
          <Empty title="No results yet" />
        )}
      </Card>
    </DomainLayout>
  );
}

function Check({ check, domain }: { readonly check: HealthCheck; readonly domain: DomainState }) {
  const { id, state, summary, evidence, advice, action } = check;
  return (
    <li id={`check-${id}`}>
      <h3>
        {CHECK_TITLES[id]} <Badge tone={STATE_LABELS[state].tone}>{checkLabel(state)}</Badge>
      </h3>{' '}
      {isTerm(id) && <Explain term={id} />}
      <p>{summary}</p>
      {advice !== null && <p>{advice}</p>}
      {evidence.length > 0 && (
        <details open={needsAttention(check)}>
          <summary>
            What was found<span class="visually-hidden"> by the check {CHECK_TITLES[id]}</span>
          </summary>
          <ul>
            {evidence.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </details>
      )}
      {action !== null && needsAttention(check) && <Action action={action} check={id} domain={domain} />}
    </li>
  );
}

const MAIL = ['mail', 'Set up SPF and DMARC', 'write'] as const;

function Action({
  action,
  check,
  domain,
}: {
  readonly action: HealthAction;
  readonly check: CheckId;
  readonly domain: DomainState;
}) {
  const link = action === 'edit_records' && (check === 'spf' || check === 'dmarc') ? MAIL : ACTION_LINKS[action];
  const isAllowed = useMayDo(link?.[2] ?? 'settings');
  if (!isAllowed || (link && !hasPage(domain, link[0]))) return null;
  if (link)
    return (
      <p class="actions">
        <a class="button" href={`/domains/${domain.id}/${link[0]}`}>
          {link[1]}
        </a>
      </p>
    );
  const [path, label] =
    action === 'lock' ? ['transfer-lock', 'Switch the lock on'] : ['auto-renewal', 'Switch auto-renewal on'];
  return (
    <PostForm action={`/domains/${domain.id}/${path}`} class="inline-form">
      <input type="hidden" name="on" value="yes" />
      <p class="actions">
        <button type="submit">{label}</button>
      </p>
    </PostForm>
  );
}

function needsAttention({ state }: Pick<HealthCheck, 'state'>): boolean {
  return state === 'problem' || state === 'warning';
}

/** What needs attention, and what could not run: silence about the latter would read as health. */
export function countText(checks: readonly Pick<HealthCheck, 'state'>[]): string {
  const amount = checks.filter(needsAttention).length;
  const unknown = checks.filter(({ state }) => state === 'unknown').length;
  const attention = `${amount} of ${checks.length} checks ${amount === 1 ? 'needs' : 'need'} your attention`;
  if (unknown === 0) return amount === 0 ? `None of ${checks.length} checks needs your attention.` : `${attention}.`;
  return amount === 0
    ? `${unknown} of ${checks.length} checks could not run; the others found nothing that needs your attention.`
    : `${attention}, and ${unknown} could not run.`;
}

function worstFirst(checks: readonly HealthCheck[]): readonly HealthCheck[] {
  return checks.toSorted((one, other) => CHECK_STATES.indexOf(one.state) - CHECK_STATES.indexOf(other.state));
}
