import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { Card, Cell, PageHeading, Row, Table } from '../dashboard/layout/components';
import { INTERFACE_ERRORS } from '../shared/error-codes';
import { describeType } from './describe-type';
import { BodyFields, FieldList } from './field-list';
import { InlineText, Paragraphs } from './inline-text';
import type { Components, OpenapiDocument } from './openapi-document';
import { OperationList, OperationSection } from './operation-section';
import { listOperations, parameterField, tagUrl, type ListedOperation } from './operations';
import { ReferenceDocument, type PageLink } from './reference-document';

const OVERVIEW = '/docs';
const SCHEMAS = '/docs/schemas';

interface ReferencePage {
  readonly title: string;
  readonly sections: readonly PageLink[];
  readonly content: () => VNode;
}

/** Renders pages, by path. */
export type ReferencePages = ReadonlyMap<string, () => string>;

/** The API reference: an overview, a page for each tag, and the schemas. */
export function referencePages(document: OpenapiDocument): ReferencePages {
  const operations = listOperations(document);
  const pages = new Map<string, ReferencePage>([
    [OVERVIEW, overviewPage(document, operations)],
    ...document.tags.map(({ name, description }) => {
      const ofTag = operations.filter(({ tag }) => tag === name);
      return [tagUrl(name), tagPage(name, description, ofTag, document.components)] as const;
    }),
    [SCHEMAS, schemasPage(document.components)],
  ]);
  const links = [...pages].map(([href, { title }]) => ({ href, label: title }));
  return new Map(
    [...pages].map(([path, { title, sections, content }]) => [
      path,
      () =>
        `<!doctype html>${renderToString(
          <ReferenceDocument title={title} path={path} pages={links} sections={sections}>
            {content()}
          </ReferenceDocument>,
        )}`,
    ]),
  );
}

function overviewPage(document: OpenapiDocument, operations: readonly ListedOperation[]): ReferencePage {
  const [introduction = '', ...parts] = document.info.description.split(/^## /m);
  const guides = parts.map((part) => {
    const [label = '', ...lines] = part.split('\n');
    return { id: label.toLowerCase().replaceAll(' ', '-'), label, text: lines.join('\n') };
  });
  const errors = guides.find(({ id }) => id === 'errors');
  return {
    title: 'API reference',
    sections: [
      { href: '#operations', label: 'All operations' },
      ...guides.map(({ id, label }) => ({ href: `#${id}`, label })),
      { href: '#response-headers', label: 'Response headers' },
    ],
    content: () => (
      <>
        <PageHeading title="API reference" lead={<InlineText text={introduction.trim()} />} />
        <section class="card" id="operations" aria-label="All operations">
          <Filter total={operations.length} />
          {document.tags.map(({ name }) => (
            <section key={name} data-operations>
              <h2>
                <a href={tagUrl(name)}>{name}</a>
              </h2>
              <OperationList operations={operations.filter(({ tag }) => tag === name)} />
            </section>
          ))}
        </section>
        <div class="columns">
          {guides
            .filter((guide) => guide !== errors)
            .map(({ id, label, text }) => (
              <Card key={id} id={id} title={label}>
                <Paragraphs text={text} />
              </Card>
            ))}
        </div>
        <Card id="errors" title="Errors">
          <Paragraphs text={errors?.text ?? ''} />
          <ErrorTable />
        </Card>
        <Card id="response-headers" title="Response headers">
          <FieldList
            of="schema"
            fields={Object.entries(document.components.headers).map(([name, header]) =>
              parameterField({ ...header, name, required: false }, document.components),
            )}
          />
        </Card>
      </>
    ),
  };
}

function Filter({ total }: { readonly total: number }) {
  return (
    <div class="field" data-scripted hidden>
      <label for="q">Find an operation</label>
      <input id="q" type="search" autocomplete="off" placeholder="renew, zone file, POST" data-filter />
      <p class="hint" role="status" data-filter-status>
        {total} operations
      </p>
    </div>
  );
}

function ErrorTable() {
  return (
    <Table caption="Error codes" columns={['Code', 'Status', 'Meaning']}>
      {Object.entries(INTERFACE_ERRORS).map(([code, { status, meaning }]) => (
        <Row key={code} id={code}>
          <Cell class="main-cell">
            <code>{code}</code>
          </Cell>
          <Cell label="Status">{status}</Cell>
          <Cell class="wide">
            <InlineText text={meaning} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function tagPage(
  title: string,
  description: string,
  operations: readonly ListedOperation[],
  components: Components,
): ReferencePage {
  return {
    title,
    sections: operations.map(({ operationId, summary }) => ({ href: `#${operationId}`, label: summary })),
    content: () => (
      <>
        <PageHeading title={title} lead={<InlineText text={description} />} />
        <nav class="card contents" aria-label="On this page">
          <OperationList operations={operations} />
        </nav>
        {operations.map((operation) => (
          <OperationSection key={operation.operationId} operation={operation} components={components} />
        ))}
      </>
    ),
  };
}

function schemasPage({ schemas }: Components): ReferencePage {
  const names = Object.keys(schemas).toSorted();
  return {
    title: 'Schemas',
    sections: names.map((name) => ({ href: `#${name}`, label: name })),
    content: () => (
      <>
        <PageHeading title="Schemas" lead="Objects and values of requests and responses." />
        {names.map((name) => (
          <Card key={name} id={name} title={name}>
            <BodyFields type={describeType(schemas[name] ?? {}, schemas)} of="schema" />
          </Card>
        ))}
      </>
    ),
  };
}
