import type { Issue } from '../../domain/shared/issue';

/** Thrown by an adapter for invalid settings, with all issues at once. Paths are relative to the settings: `host`, `tls.certificate`. */
export class SettingsRejected extends Error {
  override readonly name = 'SettingsRejected';

  constructor(readonly issues: readonly Issue[]) {
    super(issues.map(({ path, message }) => `${path} ${message}`).join('; '));
  }
}
