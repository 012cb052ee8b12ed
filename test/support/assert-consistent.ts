import { findZoneRuleViolations } from '../../src/domain/dns/zone-rules';
import { runToCompletion } from './run-to-completion';

/** @throws the first of the `findZoneRuleViolations` */
export function assertConsistent(...judged: Parameters<typeof findZoneRuleViolations>): void {
  for (const fault of runToCompletion(findZoneRuleViolations(...judged))) throw fault;
}
