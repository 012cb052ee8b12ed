/** The command cannot be run as it was typed. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
