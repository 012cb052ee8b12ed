import { inconsistencies } from '../../src/domain/dns/zone-rules';
import { atOnce } from './at-once';

/** @throws the first of the `inconsistencies` */
export function assertConsistent(...judged: Parameters<typeof inconsistencies>): void {
  for (const fault of atOnce(inconsistencies(...judged))) throw fault;
}
