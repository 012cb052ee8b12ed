import type { HeldNameFacts, HeldNamePage } from '../../../application/registrar/imports/list-held-names';
import type { ImportReport } from '../../../application/registrar/imports/find-import';
import { formatDate } from '../../../domain/shared/time/date-text';
import { buildUrl } from '../build-url';
import { displayName } from '../layout/domain/domain-labels';
import type { FormIssues } from '../form-issues';
import { Badge, Card, Cell, Empty, PageHeading, Row, Table, Time } from '../layout/components';
import { TextArea } from '../layout/forms/form-controls';
import { PostForm, type FormValues } from '../layout/forms/forms';
import { ImportProgress } from './import-progress';

interface ImportPageProps {
  /** The registries from which the account may import. */
  readonly registries: readonly string[];
  readonly registry: string | undefined;
  /** A page of the registrar's list; undefined if the registrar does not list its names. */
  readonly held: HeldNamePage | undefined;
  readonly latest: readonly ImportReport[];
  readonly values: FormValues;
  readonly issues: FormIssues | undefined;
}

/** Lists what the registrar holds for us, so that a person chooses what to import. */
export function ImportPage({ registries, registry, held, latest, values, issues }: ImportPageProps) {
  return (
    <>
      <PageHeading
        title="Bring your domains"
        lead="Import domains that your account at a registrar holds. Nothing changes at the registrar."
      />
      {registry === undefined ? (
        <section class="card">
          <Empty title="Import is not open to this account">
            <p>Ask the operator of this service to import your domains.</p>
          </Empty>
        </section>
      ) : (
        <>
          <RegistryLinks registries={registries} registry={registry} />
          {held && <HeldNames registry={registry} {...held} />}
          {held && held.skipped.length > 0 && <SkippedNames registry={registry} skipped={held.skipped} />}
          <Card title="Import by name">
            <PostForm action="/imports" values={values} issues={issues}>
              <input type="hidden" name="registry" value={registry} />
              <TextArea
                name="names"
                label="Domains"
                hint={
                  held ? 'One a line' : `The registrar ${registry} does not list its domains. Enter them, one a line`
                }
                rows={4}
              />
              <p class="actions">
                <button class={held ? undefined : 'primary'} type="submit">
                  Import these domains
                </button>
              </p>
            </PostForm>
          </Card>
        </>
      )}
      {latest.length > 0 && (
        <Card title="Latest imports">
          {latest.map((report) => (
            <ImportProgress key={report.nameImport.id} report={report} linked />
          ))}
        </Card>
      )}
    </>
  );
}

function RegistryLinks({
  registries,
  registry,
}: {
  readonly registries: readonly string[];
  readonly registry: string;
}) {
  if (registries.length < 2) return null;
  return (
    <nav aria-label="Registrars" class="actions">
      {registries.map((each) => (
        <a
          key={each}
          class="button"
          href={buildUrl('/imports', { registry: each })}
          aria-current={each === registry ? 'page' : undefined}
        >
          {each}
        </a>
      ))}
    </nav>
  );
}

/** Entries of the registrar's list that cannot be shown above, so that they are not missed. */
function SkippedNames({ registry, skipped }: { readonly registry: string } & Pick<HeldNamePage, 'skipped'>) {
  return (
    <section class="card flush">
      <Table
        caption={`Entries in the list of the registrar ${registry} that cannot be used`}
        columns={['Entry', 'Reason']}
      >
        {skipped.map(({ name, reason }) => (
          <Row key={name}>
            <Cell class="main-cell">{displayName(name)}</Cell>
            <Cell label="Reason">{reason}</Cell>
          </Row>
        ))}
      </Table>
    </section>
  );
}

function HeldNames({
  registry,
  names,
  next,
}: {
  readonly registry: string;
  readonly names: readonly HeldNameFacts[];
  readonly next: string | undefined;
}) {
  const isAnyNew = names.some(({ domainId }) => domainId === undefined);
  if (names.length === 0)
    return (
      <section class="card">
        <Empty title={`You hold no domains at the registrar ${registry}`} />
      </section>
    );
  return (
    <Card title={`Domains that you hold at the registrar ${registry}`} class="flush">
      <PostForm action="/imports">
        <input type="hidden" name="registry" value={registry} />
        <Table caption={`Domains that you hold at the registrar ${registry}`} columns={['Domain', 'Expires', 'Here']}>
          {names.map((held) => (
            <HeldNameRow key={held.name} held={held} />
          ))}
        </Table>
        <div class="actions table-actions">
          {isAnyNew && (
            <button class="primary" type="submit" name="which" value="chosen">
              Import the chosen domains
            </button>
          )}
          {isAnyNew || next !== undefined ? (
            <button type="submit" name="which" value="all">
              Import all domains at the registrar {registry}
            </button>
          ) : (
            <p class="small">All these domains are here already.</p>
          )}
          {next !== undefined && (
            <a class="button" href={buildUrl('/imports', { registry, cursor: next })}>
              More domains
            </a>
          )}
        </div>
      </PostForm>
    </Card>
  );
}

function HeldNameRow({ held: { name, expiresAt, domainId } }: { readonly held: HeldNameFacts }) {
  const shown = displayName(name);
  return (
    <Row>
      <Cell class="main-cell">
        {domainId === undefined ? (
          <label class="check">
            <input type="checkbox" name="name" value={name} checked />
            <span>{shown}</span>
          </label>
        ) : (
          <a href={`/domains/${domainId}`}>{shown}</a>
        )}
      </Cell>
      <Cell label="Expires">
        <Time at={expiresAt}>{formatDate(expiresAt)}</Time>
      </Cell>
      <Cell label="Here">{domainId === undefined ? 'no' : <Badge tone="good">yes</Badge>}</Cell>
    </Row>
  );
}
