/** Notifies listeners in this process that a commit has appended events to an account's feed. */
export class EventSignal {
  private readonly listeners: ((accountId: string) => void)[] = [];

  onCommit(listener: (accountId: string) => void): void {
    this.listeners.push(listener);
  }

  emit(accountIds: Iterable<string>): void {
    for (const accountId of accountIds) for (const listener of this.listeners) listener(accountId);
  }
}
