import type { Test } from 'supertest';
import { IdempotentRequests } from '../../../src/application/idempotency/idempotent-requests';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import type { TestService } from './service';

/** Sends a request to a process that is killed after the commit, before the response, and ends its idempotency lease. */
export async function killedBeforeResponse(service: TestService, call: () => Test): Promise<void> {
  const requests = service.container.get(IdempotentRequests);
  const request = call();
  await new Promise<void>((resolve) => {
    const dead = async () => {
      resolve();
      await new Promise(() => undefined);
    };
    Object.assign(requests, { complete: dead, end: dead, release: dead });
    void request.catch(() => undefined);
  });
  for (const method of ['complete', 'end', 'release']) Reflect.deleteProperty(requests, method);
  request.abort();
  await endIdempotencyLeases(service);
}

export function endIdempotencyLeases({ container }: TestService): Promise<unknown> {
  return container
    .get(UnitOfWork)
    .run(({ idempotencyRecords }) => idempotencyRecords.endLeases(new Date(Date.now() + 60_000)));
}
