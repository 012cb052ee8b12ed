/** Notifies listeners in this process that a commit changed a delegation or the set of served zones. */
export class ZoneSignal {
  private readonly listeners: (() => void)[] = [];

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  emit(): void {
    for (const listener of this.listeners) listener();
  }
}
