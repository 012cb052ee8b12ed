import type { ComponentChildren } from 'preact';
import type { DomainState } from '../../../domain/registration/domain';
import { displayName, expiryInWords, STATUS_WORDS } from '../domains/domain-words';
import { usePage } from '../layout/page-context';
import { Badge, PageHeading } from '../layout/parts';

type DomainTab = 'details' | 'records' | 'history' | 'zone-file' | 'operations';

const TABS: readonly (readonly [DomainTab, path: string, label: string])[] = [
  ['details', '', 'Details'],
  ['records', '/records', 'DNS records'],
  ['history', '/history', 'DNS history'],
  ['zone-file', '/zone-file', 'Zone file'],
  ['operations', '/operations', 'Operations'],
];

export interface DomainFrameProps {
  readonly domain: DomainState;
  readonly tab: DomainTab;
  readonly children: ComponentChildren;
}

/** What every page of one domain begins with. */
export function DomainFrame({ domain, tab, children }: DomainFrameProps) {
  const { today } = usePage();
  const { id, name, status } = domain;
  const words = STATUS_WORDS[status];
  const shown = displayName(name);
  return (
    <>
      <PageHeading
        title={
          <>
            {shown} <Badge tone={words.tone}>{words.label}</Badge>
          </>
        }
        lead={shown === name ? capitalized(expiryInWords(domain, today)) : `${name} ${expiryInWords(domain, today)}`}
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

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
