import type { ServiceStatus } from '../../../application/dns/domain-connect/list-connected-services';
import type { ZoneDiscovery } from '../../../application/ports/dns/templates-and-domain-connect';
import type { DomainState } from '../../../domain/registration/domain';
import { Badge, Card, Cell, Confirm, DateTime, Empty, Row, Table } from '../layout/components';
import { DomainLayout } from '../layout/domain/domain-layout';
import { displayName } from '../layout/domain/domain-labels';
import { PostForm } from '../layout/forms/forms';
import { MayChangeRecords } from '../zone/may-change-records';

interface ConnectedServicesPageProps {
  readonly domain: DomainState;
  readonly services: readonly ServiceStatus[];
  /** Undefined if Domain Connect is off for the installation. */
  readonly zone: ZoneDiscovery | undefined;
}

export function ConnectedServicesPage({ domain, services, zone }: ConnectedServicesPageProps) {
  const path = `/domains/${domain.id}/connected-services`;
  return (
    <DomainLayout domain={domain} tab="records">
      <Card title="Connected services">
        {services.length === 0 ? (
          <Empty title="No service is connected">
            <p>
              Start at a provider that takes part in Domain Connect: it finds out that {displayName(domain.name)} is
              here, and sends you to a page that shows what it would change.
            </p>
          </Empty>
        ) : (
          <ServiceTable path={path} domain={domain} services={services} />
        )}
      </Card>
      {zone && <Switch path={path} domain={domain} zone={zone} />}
    </DomainLayout>
  );
}

function ServiceTable({
  path,
  domain,
  services,
}: Pick<ConnectedServicesPageProps, 'domain' | 'services'> & { readonly path: string }) {
  return (
    <Table caption="Connected services" columns={['Service', 'Name', 'State', 'Connected', 'Actions']}>
      {services.map(({ service, missing }) => (
        <Row key={service.id}>
          <Cell label="Service">
            <strong>{service.serviceName}</strong>
            <p class="small">{service.providerName}</p>
          </Cell>
          <Cell label="Name">{service.host === '@' ? domain.name : `${service.host}.${domain.name}`}</Cell>
          <Cell label="State">
            {missing.length === 0 ? <Badge tone="good">Connected</Badge> : <Badge tone="warning">Broken</Badge>}
            {missing.length > 0 && (
              <ul class="small">
                {missing.map(({ identity }) => (
                  <li key={identity}>
                    Changed or deleted: <code>{identity}</code>
                  </li>
                ))}
              </ul>
            )}
          </Cell>
          <Cell label="Connected">
            <DateTime at={service.connectedAt} />
          </Cell>
          <Cell>
            <MayChangeRecords domain={domain}>
              <Confirm
                label="Disconnect"
                about={service.serviceName}
                action={`${path}/${service.id}/disconnect`}
                question={`This removes the records that ${service.serviceName} still has in the zone. You can undo it.`}
                button="Disconnect"
              />
            </MayChangeRecords>
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function Switch({
  path,
  domain,
  zone,
}: {
  readonly path: string;
  readonly domain: DomainState;
  readonly zone: ZoneDiscovery;
}) {
  return (
    <Card title="Domain Connect">
      <p>
        {zone.connects
          ? zone.discovery === null
            ? 'Providers do not find this domain yet. They do once it is delegated to the nameservers of this service; a change takes up to five minutes.'
            : `Providers find this domain by a TXT record at _domainconnect.${domain.name}, which is not among your records.`
          : 'Providers cannot ask to change this domain.'}
      </p>
      <MayChangeRecords domain={domain}>
        <PostForm action={`${path}/switch`}>
          <input type="hidden" name="enabled" value={zone.connects ? 'off' : 'on'} />
          <button type="submit">{zone.connects ? 'Switch Domain Connect off' : 'Switch Domain Connect on'}</button>
        </PostForm>
      </MayChangeRecords>
    </Card>
  );
}
