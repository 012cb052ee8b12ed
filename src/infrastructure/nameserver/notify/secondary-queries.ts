import type { SecondaryReport, ZoneState, SecondaryDirectory } from '../../../application/ports/dns/publishing';
import type { Clock } from '../../../application/ports/system';
import type { Secondary } from '../../../domain/dns/secondaries/secondary';
import type { NameserverClient } from '../nameserver-client';
import type { ServedSerials } from './served-serials';

const QUERY_ATTEMPTS = 2;

/** Asks every secondary for its serial of a zone. */
export class SecondaryQueries {
  private secondaries: Promise<readonly Secondary[]> | undefined;

  constructor(
    private readonly directory: Pick<SecondaryDirectory, 'all'>,
    private readonly client: NameserverClient,
    private readonly servedSerials: ServedSerials,
    private readonly clock: Clock,
  ) {}

  async query({ zoneName }: Pick<ZoneState, 'zoneName'>): Promise<readonly SecondaryReport[]> {
    const secondaries = await this.readSecondaries();
    return Promise.all(
      secondaries.map(async ({ name, endpoint, signs }) => {
        const query = { endpoint, zoneName, fromTxtRecord: signs };
        let answer = await this.client.querySerial(query);
        for (let attempt = 1; attempt < QUERY_ATTEMPTS && answer.kind === 'unreachable'; attempt += 1)
          answer = await this.client.querySerial(query);
        return { secondary: name, answer: this.servedSerials.record(name, zoneName, answer, this.clock.now()) };
      }),
    );
  }

  /** Changes that were committed together wait together: one reads for all. */
  private readSecondaries(): Promise<readonly Secondary[]> {
    this.secondaries ??= this.directory.all().finally(() => {
      this.secondaries = undefined;
    });
    return this.secondaries;
  }
}
