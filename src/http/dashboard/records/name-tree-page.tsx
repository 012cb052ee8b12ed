import type { NamesOfZone } from '../../../application/dns/records/read-name-tree';
import type { NameNode } from '../../../domain/dns/records/name-tree';
import { fullOwnerName, ROOT } from '../../../domain/dns/records/record-name';
import type { DomainState } from '../../../domain/registration/domain';
import { buildUrl } from '../build-url';
import { displayName } from '../layout/domain/domain-labels';
import { DomainLayout } from '../layout/domain/domain-layout';
import { Card, Empty } from '../layout/components';
import { RecordTypeName } from './record-type';

/** More names are shown one level at a time. */
const MAX_SHOWN = 200;

interface NameTreePageProps extends NamesOfZone {
  readonly domain: DomainState;
  readonly at: string;
}

/** The names of a zone as a tree, each with its records by type. */
export function NameTreePage({ domain, at, node, isComplete }: NameTreePageProps) {
  const path = `/domains/${domain.id}/names`;
  const title = at === ROOT ? 'Names of the zone' : `Names below ${displayName(fullOwnerName(at, domain.name))}`;
  return (
    <DomainLayout domain={domain} tab="records">
      <Card title={title} aside={<a href={`/domains/${domain.id}/records`}>All records</a>}>
        {!isComplete && (
          <p class="alert warning">The zone has too many names: some are not shown. Search its records.</p>
        )}
        {at !== ROOT && (
          <p>
            <a href={path}>All names of the zone</a>
          </p>
        )}
        {node ? (
          <>
            <p>{node.names === 1 ? '1 name has records.' : `${node.names.toLocaleString('en')} names have records.`}</p>
            <ul class="name-tree">
              <NameItem domain={domain} node={node} isWhole={countNodes(node) <= MAX_SHOWN} isTop />
            </ul>
          </>
        ) : (
          <Empty title="No records here" />
        )}
      </Card>
    </DomainLayout>
  );
}

interface NameItemProps {
  readonly domain: DomainState;
  readonly node: NameNode;
  /** Whether all names below are shown, too. */
  readonly isWhole: boolean;
  readonly isTop?: boolean;
}

function NameItem({ domain, node, isWhole, isTop = false }: NameItemProps) {
  const { name, sets, children } = node;
  const isOpen = isWhole || isTop;
  const shown = isOpen ? children.slice(0, MAX_SHOWN) : [];
  return (
    <li>
      {sets.length > 0 ? (
        <a href={buildUrl(`/domains/${domain.id}/records`, { q: name === ROOT ? undefined : name })}>
          <strong>{name}</strong>
        </a>
      ) : (
        <span>{name}</span>
      )}{' '}
      <span class="small">
        {sets.map(({ type, records }, index) => (
          <span key={type}>
            {index > 0 && ', '}
            <RecordTypeName type={type} />
            {records > 1 && ` × ${records}`}
          </span>
        ))}
      </span>
      {children.length > 0 && !isOpen && (
        <>
          {' '}
          <a href={buildUrl(`/domains/${domain.id}/names`, { at: name })}>
            {node.names - (sets.length > 0 ? 1 : 0)} below<span class="visually-hidden"> {name}</span>
          </a>
        </>
      )}
      {shown.length > 0 && (
        <ul>
          {shown.map((child) => (
            <NameItem key={child.name} domain={domain} node={child} isWhole={isWhole} />
          ))}
        </ul>
      )}
      {shown.length < children.length && isOpen && (
        <p class="small">
          And {(children.length - shown.length).toLocaleString('en')} more: search the records for them.
        </p>
      )}
    </li>
  );
}

function countNodes({ children }: NameNode): number {
  return children.reduce((sum, child) => sum + countNodes(child), 1);
}
