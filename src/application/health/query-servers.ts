import { inject, injectable } from '../ports/inject';
import type { ServerAnswer, ServerEvidence } from '../../domain/health/judge-nameservers';
import { failureOf, recordsOf } from '../../domain/health/lookup';
import { SecondaryDirectory, ZonePublisher, type SecondaryAnswer } from '../ports/dns/publishing';
import type { DnsProbe } from '../ports/health/health-repository';

/** As many as a delegation may have. */
const MAX_NAMESERVERS = 13;

interface ServersToQuery {
  readonly domainId: string;
  readonly zoneName: string;
  readonly nameservers: readonly string[];
  /** Of the zone here, without its wrap-around, if this service serves the domain. */
  readonly serial: number | undefined;
  readonly probe: DnsProbe;
}

/** Asks the nameservers of a domain, and this service's secondaries if they serve it, for the zone's SOA record. */
@injectable()
export class QueryServers {
  constructor(
    @inject(ZonePublisher) private readonly publisher: Pick<ZonePublisher, 'querySecondaries'>,
    @inject(SecondaryDirectory) private readonly directory: Pick<SecondaryDirectory, 'all'>,
  ) {}

  async execute({
    domainId,
    zoneName,
    nameservers,
    serial,
    probe,
  }: ServersToQuery): Promise<readonly ServerEvidence[]> {
    const [hosts, secondaries] = await Promise.all([
      Promise.all(nameservers.slice(0, MAX_NAMESERVERS).map((host) => queryHost(zoneName, host, probe))),
      serial === undefined ? [] : this.publisher.querySecondaries({ domainId, zoneName, serial }),
    ]);
    return [
      ...hosts,
      ...secondaries.map(({ secondary, answer }): ServerEvidence => ({
        kind: 'secondary',
        name: secondary,
        answer: answerOf(answer),
      })),
    ];
  }

  /** Whether the serials of nameservers are those of the zone here: a secondary that signs replaces them. */
  async serialsAreOurs(): Promise<boolean> {
    return (await this.directory.all()).every(({ signs }) => !signs);
  }
}

async function queryHost(zoneName: string, host: string, probe: DnsProbe): Promise<ServerEvidence> {
  const name = host;
  const ipv4 = await probe.resolve({ name, type: 'A' });
  // Not every machine has IPv6, so an IPv6 address is queried only if there is no IPv4 address.
  const lookup = recordsOf(ipv4).length > 0 ? ipv4 : await probe.resolve({ name, type: 'AAAA' });
  const addresses = recordsOf(lookup);
  const failure = failureOf(lookup) ?? failureOf(ipv4);
  const address = addresses.find((each) => probe.mayAsk(each));
  if (address !== undefined)
    return { kind: 'nameserver', name, address, answer: await probe.querySoa(zoneName, address) };
  const evidenceOf = (answer: ServerAnswer): ServerEvidence => ({ kind: 'nameserver', name, answer });
  const [hidden] = addresses;
  if (hidden !== undefined) return evidenceOf({ kind: 'not_public', address: hidden });
  return evidenceOf(failure === undefined ? { kind: 'no_address' } : { kind: 'unknown', reason: failure });
}

function answerOf(answer: SecondaryAnswer): ServerAnswer {
  if (answer.kind === 'serves') return { kind: 'serves', serial: answer.serial };
  return answer.kind === 'unreachable' ? answer : { kind: 'lame', reason: 'it does not have the zone' };
}
