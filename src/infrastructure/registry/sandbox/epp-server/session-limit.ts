/** Counts the open sessions of each registrar. */
export class SessionLimit {
  private readonly open = new Map<string, number>();

  constructor(private readonly limit: number) {}

  /** Returns false if the registrar has reached the limit. */
  enter(registrar: string): boolean {
    const sessions = this.open.get(registrar) ?? 0;
    if (sessions >= this.limit) return false;
    this.open.set(registrar, sessions + 1);
    return true;
  }

  leave(registrar: string): void {
    this.open.set(registrar, (this.open.get(registrar) ?? 1) - 1);
  }
}
