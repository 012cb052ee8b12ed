import {
  asUnknownOutcome,
  isSameDsRecord,
  RegistryRejected,
  type DsRecord,
  type DomainName,
  type GlueHost,
  type JsonRequest,
} from '../../../adapter';
import type { NamecomAccount } from './namecom-account';
import { READ, type NamecomDomain, type NamecomRecord } from './namecom-client';
import { hasAddresses, toDsRecord, toZoneFile } from './namecom-mapping';

const ROWS_PER_PAGE = 500;

/** Nameservers, glue and DS records of a name, and the zone that name.com serves for it. */
export class NamecomDelegation {
  constructor(private readonly account: NamecomAccount) {}

  async setNameservers(name: DomainName, hosts: readonly string[], glue: readonly GlueHost[]): Promise<NamecomDomain> {
    const requests = await this.glueRequests(name, glue, 'POST');
    await this.sendAll(requests);
    const path = `/domains/${name.value}:setNameservers`;
    return this.account.post(READ.domain, path, { nameservers: hosts }).catch((error: unknown) => {
      throw requests.length > 0 ? asUnknownOutcome(error) : error;
    });
  }

  /** Of hosts that exist. */
  async setGlue(name: DomainName, glue: readonly GlueHost[]): Promise<void> {
    await this.sendAll(await this.glueRequests(name, glue));
  }

  async dsRecords(name: DomainName): Promise<readonly DsRecord[]> {
    return (await this.account.get(READ.dsRecords, `/domains/${name.value}/dnssec`)).dnssec.map(toDsRecord);
  }

  /** Adds before it removes, so that a chain of trust exists throughout. A record with the digest of a new one is replaced. */
  async setDsRecords(name: DomainName, dsRecords: readonly DsRecord[]): Promise<readonly DsRecord[]> {
    const path = `/domains/${name.value}/dnssec`;
    const present = await this.dsRecords(name);
    const added = dsRecords.filter((dsRecord) => !present.some((other) => isSameDsRecord(dsRecord, other)));
    const removed = present.filter((dsRecord) => !dsRecords.some((other) => isSameDsRecord(dsRecord, other)));
    const isReplaced = ({ digest }: DsRecord) => added.some((dsRecord) => dsRecord.digest.toUpperCase() === digest);
    const removal = ({ digest }: DsRecord): JsonRequest => ({ method: 'DELETE', path: `${path}/${digest}` });
    const requests = [
      ...removed.filter(isReplaced).map(removal),
      ...added.map(({ keyTag, algorithm, digestType, digest }): JsonRequest => {
        return { method: 'POST', path, body: { keyTag, algorithm, digestType, digest: digest.toUpperCase() } };
      }),
      ...removed.filter((dsRecord) => !isReplaced(dsRecord)).map(removal),
    ];
    await this.sendAll(requests);
    if (requests.length === 0) return present;
    return this.dsRecords(name).catch((error: unknown) => {
      throw asUnknownOutcome(error);
    });
  }

  /** Undefined if name.com has no records for the name. */
  async zone(name: DomainName): Promise<string | undefined> {
    const records: NamecomRecord[] = [];
    for (let page = 1; page > 0;) {
      const query = { page, perPage: ROWS_PER_PAGE };
      const path = `/domains/${name.value}/records`;
      const found = await this.account.find(READ.records, { method: 'GET', path, query });
      records.push(...(found?.records ?? []));
      page = found?.nextPage ?? 0;
    }
    return records.length === 0 ? undefined : toZoneFile(name, records);
  }

  private async sendAll(requests: readonly JsonRequest[]): Promise<void> {
    for (const [index, request] of requests.entries())
      await this.account.send(READ.nothing, request).catch((error: unknown) => {
        // The name is held, so that is the record, which another client removed first.
        const isRemoved = error instanceof RegistryRejected && error.reason === 'not_held';
        if (isRemoved && request.method === 'DELETE') return;
        throw index > 0 ? asUnknownOutcome(error) : error;
      });
  }

  /** The requests that give hosts under `name` their addresses; missing hosts are created with `create`. */
  private async glueRequests(
    name: DomainName,
    glue: readonly GlueHost[],
    create?: 'POST',
  ): Promise<readonly JsonRequest[]> {
    const own = glue.filter(({ host }) => host.endsWith(`.${name.value}`));
    if (own.length === 0) return [];
    const path = `/domains/${name.value}/vanity_nameservers`;
    const { vanityNameservers } = await this.account.get(READ.vanityHosts, path, { perPage: ROWS_PER_PAGE });
    return own.flatMap(({ host, addresses }): JsonRequest[] => {
      const present = vanityNameservers.find(({ hostname }) => hostname.toLowerCase() === host);
      if (hasAddresses(present, addresses)) return [];
      if (present) return [{ method: 'PUT', path: `${path}/${host}`, body: { ips: addresses } }];
      if (!create) return [];
      const hostname = host.slice(0, -(name.value.length + 1));
      return [{ method: create, path, body: { hostname, ips: addresses } }];
    });
  }
}
