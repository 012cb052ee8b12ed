/** Of the IANA database, as this version of Node.js has it; UTC first. */
export function timeZones(): readonly string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];
}

export function isTimeZone(name: string): boolean {
  return timeZones().includes(name);
}
