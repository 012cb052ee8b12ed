export interface SettingsFault {
  /** Where it is, as a path within the adapter's settings: `host`, `tls.certificate`. */
  readonly setting: string;
  /** What it should be, as the end of a sentence that begins with its name. Never its value, which may be a secret. */
  readonly problem: string;
}

/** What an adapter throws whose settings will not do: everything that is wrong, at once. */
export class SettingsRejected extends Error {
  override readonly name = 'SettingsRejected';

  constructor(readonly faults: readonly SettingsFault[]) {
    super(faults.map(({ setting, problem }) => `${setting} ${problem}`).join('; '));
  }
}
