import { inconsistencies } from '../../src/domain/dns/zone-rules';
import { runToCompletion } from './run-to-completion';

/** @throws the first of the `inconsistencies` */
export function assertConsistent(...judged: Parameters<typeof inconsistencies>): void {
  for (const fault of runToCompletion(inconsistencies(...judged))) throw fault;
}
