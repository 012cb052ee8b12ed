import type { ComponentChildren } from 'preact';
import type { DomainState } from '../../../domain/registration/domain';
import { displayName, describeExpiry, STATUS_LABELS } from '../domains/domain-labels';
import { capitalize } from '../form-issues';
import { usePage } from '../layout/page-context';
import { Badge, PageHeading } from '../layout/components';

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

interface DomainLayoutProps {
  readonly domain: DomainState;
  readonly tab: DomainTab;
  readonly children: ComponentChildren;
}

/** Heading and tabs of every page of a domain. */
export function DomainLayout({ domain, tab, children }: DomainLayoutProps) {
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
          {TABS.map(([key, path, label]) => (
            <li key={key}>
              <a href={`/domains/${id}${path}`} aria-current={key === tab ? 'page' : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </>
  );
}
