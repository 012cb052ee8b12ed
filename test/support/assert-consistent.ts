import { inconsistencies } from '../../src/domain/dns/zone-rules';

/** @throws the first of the `inconsistencies` */
export function assertConsistent(...judged: Parameters<typeof inconsistencies>): void {
  for (const fault of inconsistencies(...judged)) throw fault;
}
