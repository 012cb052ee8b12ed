import { inject, injectable } from '../ports/inject';
import type { Operation, OperationState } from '../../domain/registration/operations/operation';
import type { AuthCode } from '../ports/registry/registry-port';
import { SecretBox } from '../ports/system';
import { UnitOfWork } from '../ports/storage/unit-of-work';

/** Long enough for a client that repeats its request after a crash. */
const RETENTION_MS = 60 * 60_000;

/** Passes an auth code from the process that ran the operation to the waiting request: encrypted, and erased after delivery. */
@injectable()
export class OperationHandover {
  constructor(
    @inject(SecretBox) private readonly secrets: SecretBox,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'operations'>,
  ) {}

  seal({ id }: Operation, { code, expiresAt }: AuthCode, now: Date): NonNullable<OperationState['handover']> {
    const sealed = this.secrets.seal(JSON.stringify({ code, expiresAt: expiresAt.toISOString() }), handoverPurpose(id));
    return { sealed, until: new Date(now.getTime() + RETENTION_MS) };
  }

  open(operation: Operation): AuthCode | undefined {
    const { id, handover } = operation.toState();
    if (!handover) return undefined;
    const { code, expiresAt } = JSON.parse(this.secrets.open(handover.sealed, handoverPurpose(id))) as {
      code: string;
      expiresAt: string;
    };
    return { code, expiresAt: new Date(expiresAt) };
  }

  async erase(operationId: string): Promise<void> {
    await this.unitOfWork.run(({ operations }) => operations.eraseHandover(operationId));
  }
}

export function handoverPurpose(operationId: string): string {
  return `operation:${operationId}`;
}
