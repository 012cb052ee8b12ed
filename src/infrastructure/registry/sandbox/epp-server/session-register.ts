/** How many sessions each registrar has open, up to a limit. */
export class SessionRegister {
  private readonly open = new Map<string, number>();

  constructor(private readonly limit: number) {}

  /** Answers false where the registrar has as many as it may. */
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
