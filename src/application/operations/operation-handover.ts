import { inject, injectable } from 'inversify';
import type { Operation, OperationState } from '../../domain/registration/operation';
import type { AuthCode } from '../ports/registry/registry-port';
import { SecretBox } from '../ports/system/secret-box';
import { UnitOfWork } from '../ports/storage/unit-of-work';

/** Time enough for a client that repeats its request after a crash of ours. */
const KEPT_MS = 60 * 60_000;

/** An auth code on its way from the process that fetched it to the request that asked: sealed, and erased once it is there. */
@injectable()
export class OperationHandover {
  constructor(
    @inject(SecretBox) private readonly secrets: SecretBox,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  seal({ id }: Operation, { code, expiresAt }: AuthCode, now: Date): NonNullable<OperationState['handover']> {
    const sealed = this.secrets.seal(
      JSON.stringify({ code, expiresAt: expiresAt.toISOString() }),
      purposeOfHandover(id),
    );
    return { sealed, until: new Date(now.getTime() + KEPT_MS) };
  }

  open(operation: Operation): AuthCode | undefined {
    const { id, handover } = operation.toState();
    if (!handover) return undefined;
    const { code, expiresAt } = JSON.parse(this.secrets.open(handover.sealed, purposeOfHandover(id))) as {
      code: string;
      expiresAt: string;
    };
    return { code, expiresAt: new Date(expiresAt) };
  }

  async erase(operationId: string): Promise<void> {
    await this.unitOfWork.run(({ operations }) => operations.eraseHandover(operationId));
  }
}

export function purposeOfHandover(operationId: string): string {
  return `operation:${operationId}`;
}
