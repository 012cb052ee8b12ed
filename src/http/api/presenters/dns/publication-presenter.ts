import { serialOf } from '../../../../domain/dns/zone-serial';
import { resolution } from './record-presenter';
import type { PublicationReport } from '../../../../application/dns/publishing/read-publication';

export function publication({
  version,
  serial,
  published,
  secondaries,
  delegation: { state, nameservers, ourNameservers },
  failingAliases,
}: PublicationReport): object {
  const delegation = { state, nameservers: [...nameservers], our_nameservers: [...ourNameservers] };
  return {
    version,
    serial: serialOf(serial),
    published,
    secondaries: secondaries.map(secondary),
    delegation,
    failing_aliases: failingAliases.map((alias) => ({
      name: alias.name,
      target: alias.target,
      resolution: resolution(alias),
    })),
  };
}

/** `behind` is one that serves an older version. */
function secondary({ secondary: name, answer, isCurrent }: PublicationReport['secondaries'][number]): object {
  if (answer.kind !== 'serves') return { name, state: answer.kind, serial: null, since: null };
  return { name, state: isCurrent ? 'current' : 'behind', serial: answer.serial, since: answer.since.toISOString() };
}
