/** EPP allows 3 to 64 characters (RFC 5730, trIDStringType). Unique because operation ids and attempt numbers are. */
export function transactionIdOf(operationId: string, attempt: number): string {
  return `${idempotencyKeyOf(operationId)}-${attempt}`;
}

/** What all transaction ids of an operation begin with. */
export function idempotencyKeyOf(operationId: string): string {
  return operationId.replace('_', '-');
}

/** Extracts the operation id from a transaction id. */
export function operationIdOf(transactionId: string): string {
  return transactionId.replace(/-\d+$/, '').replace('-', '_');
}
