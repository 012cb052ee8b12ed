import type { PublicationReport } from '../../../application/dns/publishing/read-publication';

export function publication({
  version,
  published,
  secondaries,
  delegation: { state, nameservers, ourNameservers },
}: PublicationReport): object {
  const delegation = { state, nameservers: [...nameservers], our_nameservers: [...ourNameservers] };
  return { version, published, secondaries: secondaries.map(secondary), delegation };
}

/** `behind` is one that serves an older version. */
function secondary({ secondary: name, answer, isCurrent }: PublicationReport['secondaries'][number]): object {
  if (answer.kind !== 'serves') return { name, state: answer.kind, serial: null, since: null };
  return { name, state: isCurrent ? 'current' : 'behind', serial: answer.version, since: answer.since.toISOString() };
}
