import type { ComponentChildren } from 'preact';
import type { DomainState } from '../../../../domain/registration/domain';
import { isAllowed, type DomainAction } from '../../../../domain/registration/domain-status';
import { displayName, describeExpiry, STATUS_LABELS } from './domain-labels';
import { hasPage } from './domain-parts';
import { capitalize } from '../../form-issues';
import { usePage } from '../page-context';
import { Badge, PageHeading } from '../components';

type DomainTab = 'details' | 'health' | 'records' | 'dnssec' | 'history' | 'zone-file' | 'operations';

const TABS: readonly (readonly [DomainTab, path: string, label: string])[] = [
  ['details', '', 'Details'],
  ['health', '/health', 'Health'],
  ['records', '/records', 'DNS records'],
  ['dnssec', '/dnssec', 'DNSSEC'],
  ['history', '/history', 'DNS history'],
  ['zone-file', '/zone-file', 'Zone file'],
  ['operations', '/operations', 'Operations'],
];

/** What a form of a page does, and what it says in place of the form if the domain's status forbids that. */
const FORBIDDEN = {
  'change nameservers': 'The nameservers cannot be changed',
  'change contacts': 'The registrant cannot be changed',
  'change DNS records': 'The records cannot be changed',
  'issue an auth code': 'No auth code can be issued',
} as const satisfies Partial<Record<DomainAction, string>>;

interface DomainLayoutProps {
  readonly domain: DomainState;
  readonly tab: DomainTab;
  /** What the page is for. Without it, the page is shown in every status. */
  readonly needs?: keyof typeof FORBIDDEN;
  readonly children: ComponentChildren;
}

/** Heading and tabs of every page of a domain. */
export function DomainLayout({ domain, tab, needs, children }: DomainLayoutProps) {
  const { today } = usePage();
  const { id, name, status } = domain;
  const words = STATUS_LABELS[status];
  const shown = displayName(name);
  return (
    <>
      <PageHeading
        title={
          <>
            {shown} <Badge tone={words.tone}>{words.label}</Badge>
          </>
        }
        lead={shown === name ? capitalize(describeExpiry(domain, today)) : `${name} ${describeExpiry(domain, today)}`}
      />
      <nav class="tabs" aria-label={shown}>
        <ul>
          {TABS.filter(([, path]) => hasPage(domain, path)).map(([key, path, label]) => (
            <li key={key}>
              <a href={`/domains/${id}${path}`} aria-current={key === tab ? 'page' : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {needs === undefined || isAllowed(status, needs) ? (
        children
      ) : (
        <section class="card narrow">
          <p>
            {FORBIDDEN[needs]}, because the domain is {words.label}.
          </p>
        </section>
      )}
    </>
  );
}
