import { findZoneRuleViolations } from '../../src/domain/dns/zone-rules';
import { runToCompletion } from './run-to-completion';

/** @throws the first violation of the zone rules */
export function assertConsistent(...zone: Parameters<typeof findZoneRuleViolations>): void {
  for (const error of runToCompletion(findZoneRuleViolations(...zone))) throw error;
}
