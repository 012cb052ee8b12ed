import { isSerialAtLeast, serialOf } from '../../../domain/dns/zone-serial';
import type { SecondaryReport } from '../../ports/dns/publishing';

/** Whether the world sees a zone as it is: every secondary, and there is one at least, serves the serial or a later one. */
export function isPublished(serial: number, reports: readonly SecondaryReport[]): boolean {
  return reports.length > 0 && reports.every((report) => hasReached(serial, report));
}

export function hasReached(serial: number, { answer }: SecondaryReport): boolean {
  return answer.kind === 'serves' && isSerialAtLeast(serialOf(answer.serial), serialOf(serial));
}
