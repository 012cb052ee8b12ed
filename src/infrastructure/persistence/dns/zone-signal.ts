/** Tells, within this process, that a commit changed a delegation or which zones are served. */
export class ZoneSignal {
  private readonly listeners: (() => void)[] = [];

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  emit(): void {
    for (const listener of this.listeners) listener();
  }
}
