import { inject, injectable } from '../../ports/inject';
import type { TransactionHook } from '../../ports/storage/unit-of-work';
import type { ZonePlan } from '../zones/zone-plan';
import type { Decide, ZoneRequest } from '../zones/zone-request';
import { ZoneWriter } from '../zones/zone-writer';
import type { Written } from '../zones/zone-request';

interface RemoveRecordCommand extends ZoneRequest {
  readonly recordId: string;
}

/** Removes a record. @throws the errors of `ZoneWriter`, RecordNotFound */
@injectable()
export class RemoveRecord {
  constructor(@inject(ZoneWriter) private readonly zones: ZoneWriter) {}

  async execute(command: RemoveRecordCommand, hook?: TransactionHook<Written<void>>): Promise<Written<void>> {
    return this.zones.writeFew(command, planRemoval(command), hook);
  }

  async plan(command: RemoveRecordCommand): Promise<ZonePlan<void>> {
    return this.zones.plan(command, planRemoval(command));
  }
}

function planRemoval({ recordId }: RemoveRecordCommand): Decide<void> {
  return async ({ record }) => ({
    change: { added: [], changed: [], removed: [await record(recordId)] },
    result: undefined,
  });
}
