import type { ApiKeyState } from '../../../domain/access/api-key';
import { Card, Copyable } from '../layout/components';
import {
  acmeDnsStorage,
  certificateNames,
  ddclientConfiguration,
  hostNames,
  httpReqEnvironment,
  routerUrl,
} from './client-configuration';

export interface ClientConfigurationsProps {
  readonly apiKey: ApiKeyState;
  /** The key with its secret. */
  readonly text: string;
  readonly url: string;
  /** The APIs of other products that are switched on. */
  readonly apis: readonly string[];
}

/** Finished configurations of certificate clients and routers, for a key that is limited to what they change. */
export function ClientConfigurations({ apiKey: { keyId, limits }, text, url, apis }: ClientConfigurationsProps) {
  const parts = { keyId, secret: text.slice(text.indexOf('.') + 1) };
  const names = certificateNames(limits);
  const hosts = hostNames(limits);
  const hasHttpReq = names.length > 0 && apis.includes('httpreq');
  const hasAcmeDns = names.length > 0 && apis.includes('acme-dns');
  const hasDynDns = hosts.length > 0 && apis.includes('dyndns');
  if (!hasHttpReq && !hasAcmeDns && !hasDynDns) return null;
  return (
    <Card title="Set up the client">
      {hasHttpReq && (
        <>
          <h3>Environment of lego (--dns httpreq)</h3>
          <Copyable id="new-key-httpreq" text={httpReqEnvironment(url, parts)} label="the environment of lego" lines />
        </>
      )}
      {hasAcmeDns && (
        <>
          <h3>Storage file of acme-dns clients</h3>
          <Copyable
            id="new-key-acme-dns"
            text={acmeDnsStorage(url, names, parts)}
            label="the storage file of acme-dns clients"
            lines
          />
        </>
      )}
      {hasDynDns && (
        <>
          <h3>Router</h3>
          <p>
            User name <code>{keyId}</code>, password <code>{parts.secret}</code>, update URL:
          </p>
          <Copyable id="new-key-router" text={routerUrl(url, hosts)} label="the update URL of a router" lines />
          <h3>ddclient.conf</h3>
          <Copyable
            id="new-key-ddclient"
            text={ddclientConfiguration(url, hosts, parts)}
            label="the configuration of ddclient"
            lines
          />
        </>
      )}
    </Card>
  );
}
