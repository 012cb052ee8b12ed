import type { SecondariesReport, SecondaryOverview } from '../../../application/dns/publishing/read-secondaries';
import { endpointText } from '../../../domain/dns/secondaries/secondary';
import { Badge, Card, Cell, Copyable, Day, Empty, PageHeading, Row, Table, Time } from '../layout/components';
import { formatTimeAgo } from '../layout/dates';
import { usePage } from '../layout/page-context';

/** The progress of a secondary is stored two minutes after a change, because the clocks of processes differ. */
const LATE_SECONDS = 300;

interface SecondariesPageProps extends SecondariesReport {
  /** Whether the account sees addresses, keys and configurations, which are the operator's. */
  readonly withDetails: boolean;
}

/** The secondaries that serve the zones, and their configurations. */
export function SecondariesPage({ secondaries, keys, primary, catalogZone, withDetails }: SecondariesPageProps) {
  const { now } = usePage();
  return (
    <>
      <PageHeading title="Nameservers" lead="The secondaries that serve the zones of this service to the public" />
      <Card title="Secondaries" term="secondary" class="flush">
        {secondaries.length === 0 ? (
          <Empty title="No secondaries yet">
            {withDetails ? (
              <p>
                The operator adds them with <code>dns tsig create</code> and <code>dns secondary add</code>.
              </p>
            ) : (
              <p>The records are stored but not served. Ask the operator of this service to add a secondary.</p>
            )}
          </Empty>
        ) : (
          <Table caption="Secondaries" columns={['Name', ...(withDetails ? ['Address', 'Key'] : []), 'Serves']}>
            {secondaries.map((report) => (
              <SecondaryRow key={report.secondary.name} report={report} withDetails={withDetails} />
            ))}
          </Table>
        )}
      </Card>
      {withDetails &&
        secondaries.map(({ secondary, configurations }) => (
          <Card key={secondary.name} title={`Configuration of ${secondary.name}`}>
            <p>
              Put the secret of the key {secondary.keyName} in place of “…”. The command line prints the configuration
              with it.
            </p>
            {configurations.map(({ program, text }) => (
              <details key={program} class="disclosure">
                <summary>{program}</summary>
                <Copyable
                  id={`${secondary.name}-${program.toLowerCase().replace(' ', '-')}`}
                  text={text}
                  label={`configuration of ${program} for ${secondary.name}`}
                  lines
                />
              </details>
            ))}
          </Card>
        ))}
      {withDetails && (
        <Card title="Keys" term="tsig" class="flush">
          {keys.length === 0 ? (
            <Empty title="No TSIG keys yet" />
          ) : (
            <Table caption="TSIG keys" columns={['Name', 'Algorithm', 'Created', 'State']}>
              {keys.map(({ name, algorithm, createdAt, revokedAt }) => (
                <Row key={name}>
                  <Cell class="main-cell">{name}</Cell>
                  <Cell label="Algorithm">{algorithm}</Cell>
                  <Cell label="Created">
                    <Day at={createdAt} />
                  </Cell>
                  <Cell label="State">
                    {revokedAt ? (
                      <Badge tone="bad">revoked {formatTimeAgo(revokedAt, now)}</Badge>
                    ) : (
                      <Badge tone="good">valid</Badge>
                    )}
                  </Cell>
                </Row>
              ))}
            </Table>
          )}
        </Card>
      )}
      {withDetails ? (
        <Card title="This service">
          <p>
            {primary === undefined
              ? 'The DNS listener is off, so that no secondary can transfer zones. The operator of this service can switch it on.'
              : `It listens for secondaries at ${primary}.`}{' '}
            The catalog zone is <code>{catalogZone}</code>.
          </p>
        </Card>
      ) : (
        <p>Addresses and keys are shown to the first account of this service, which is its operator's.</p>
      )}
    </>
  );
}

interface SecondaryRowProps {
  readonly report: SecondaryOverview;
  readonly withDetails: boolean;
}

function SecondaryRow({ report: { secondary, caughtUpTo, lagSeconds, key }, withDetails }: SecondaryRowProps) {
  const { now } = usePage();
  return (
    <Row>
      <Cell class="main-cell">
        {secondary.name}
        {secondary.signs && <span class="small"> signs zones</span>}
      </Cell>
      {withDetails && (
        <>
          <Cell label="Address">
            <code>{endpointText(secondary.endpoint)}</code>
          </Cell>
          <Cell label="Key">
            {secondary.keyName}
            {(!key || key.revokedAt) && <Badge tone="bad">revoked</Badge>}
          </Cell>
        </>
      )}
      <Cell label="Serves" class="wide">
        {caughtUpTo === undefined || lagSeconds === undefined ? (
          <Badge tone="plain">not known yet</Badge>
        ) : (
          <>
            <Badge tone={lagSeconds > LATE_SECONDS ? 'warning' : 'good'}>
              {lagSeconds > LATE_SECONDS ? 'behind' : 'up to date'}
            </Badge>{' '}
            {lagSeconds > 0 && (
              <>
                all changes until <Time at={caughtUpTo}>{formatTimeAgo(caughtUpTo, now)}</Time>
              </>
            )}
          </>
        )}
      </Cell>
    </Row>
  );
}
