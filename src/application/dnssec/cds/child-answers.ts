import {
  decideChildDsRecords,
  isSameDecision,
  type ChildDecision,
  type ChildQuestion,
} from '../../../domain/dns/dnssec/parent/child-ds-records';
import type { ChildAnswer } from '../../ports/dns/other-nameservers';

export function asksForDsRecords({ records }: ChildAnswer): boolean {
  return records !== undefined && records.cds.records.length + records.cdnskeys.records.length > 0;
}

/** Why nothing is decided if a nameserver does not answer; undefined if all do. */
export function silence(zoneName: string, answers: readonly ChildAnswer[]): string | undefined {
  const silent = answers.find(({ records }) => records === undefined);
  return silent && `${silent.nameserver} does not answer for ${zoneName} over TCP`;
}

/** What the zone asks for at all its nameservers, which must ask for the same. `inception` is the oldest of all signatures. */
export function decideForAll(answers: readonly ChildAnswer[], question: ChildQuestion): ChildDecision {
  const decisions = answers.flatMap(({ nameserver, records }) =>
    records ? [{ nameserver, decision: decideChildDsRecords(records, question) }] : [],
  );
  for (const { nameserver, decision } of decisions)
    if (decision.kind === 'refused') return { kind: 'refused', reason: `${nameserver}: ${decision.reason}` };
  const [first, ...others] = decisions;
  const other = first && others.find(({ decision }) => !isSameDecision(first.decision, decision));
  if (!first || other)
    return {
      kind: 'refused',
      reason: `${first?.nameserver} and ${other?.nameserver} ask for different DS records`,
    };
  const asked = decisions.flatMap(({ decision }) => (decision.kind === 'wanted' ? [decision] : []));
  const [wanted] = asked;
  return wanted ? { ...wanted, inception: Math.min(...asked.map((each) => each.inception)) } : { kind: 'none' };
}
