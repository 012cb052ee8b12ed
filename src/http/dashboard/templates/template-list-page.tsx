import { MayDo, useMayDo } from '../layout/may-do';
import type { RecordTemplate } from '../../../domain/dns/templates/record-template';
import type { DomainState } from '../../../domain/registration/domain';
import { DomainLayout } from '../layout/domain/domain-layout';
import { displayName } from '../layout/domain/domain-labels';
import { Card, Empty, PageHeading } from '../layout/components';

/** The templates to choose from for a domain. */
export function DomainTemplatesPage({
  domain,
  templates,
}: {
  readonly domain: DomainState;
  readonly templates: readonly RecordTemplate[];
}) {
  const mayWrite = useMayDo('write');
  return (
    <DomainLayout domain={domain} tab="records" needs="change DNS records">
      <Card
        title="Use a template"
        aside={
          <a class="button quiet" href="/record-templates">
            Your templates
          </a>
        }
      >
        <p>
          A template adds records to {displayName(domain.name)} and replaces those that cannot stay beside them. The
          preview shows the changes before you apply them.
        </p>
        <ul class="template-list">
          {templates.map(({ id, name, description, source }) => (
            <li key={id}>
              {mayWrite ? <a href={`/domains/${domain.id}/templates/${id}`}>{name}</a> : name}
              {source === null && <span class="small"> yours</span>}
              {description !== '' && <p class="small">{description}</p>}
            </li>
          ))}
        </ul>
      </Card>
    </DomainLayout>
  );
}

/** The templates of the account, and where the records of the built-in ones come from. */
export function AccountTemplatesPage({ templates }: { readonly templates: readonly RecordTemplate[] }) {
  const own = templates.filter(({ source }) => source === null);
  return (
    <>
      <PageHeading title="Record templates" lead="Records that you add to domains together">
        <MayDo action="write" everyDomain>
          <a class="button primary" href="/record-templates/new">
            New template
          </a>
        </MayDo>
      </PageHeading>
      <Card title="Your templates">
        {own.length === 0 ? (
          <Empty title="No templates yet">
            <p>A template holds records with variables, to apply on the records page of any domain.</p>
          </Empty>
        ) : (
          <ul class="template-list">
            {own.map(({ id, name, description }) => (
              <li key={id}>
                <a href={`/record-templates/${id}`}>{name}</a>
                {description !== '' && <p class="small">{description}</p>}
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Card title="Built-in templates">
        <ul class="template-list">
          {templates.map(
            ({ id, name, description, source }) =>
              source && (
                <li key={id}>
                  <strong>{name}</strong>
                  <p class="small">
                    {description} <a href={source.url}>Documentation</a>
                  </p>
                </li>
              ),
          )}
        </ul>
      </Card>
    </>
  );
}
