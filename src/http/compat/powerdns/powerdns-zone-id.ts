/** The id of a zone, for URLs: its name with a trailing dot, where `=` and two hexadecimal digits stand for `/` and `_`. */
export function powerDnsZoneId(zoneName: string): string {
  return `${zoneName}.`.replace(/[^A-Za-z0-9.-]/g, (character) => `=${hexOf(character)}`);
}

/** The name that an id stands for, or a name itself: some clients do not encode, and some leave the trailing dot out. */
export function zoneNameOfId(id: string): string {
  return id
    .replace(/=([0-9A-F]{2})/gi, (_code, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    .replace(/\.$/, '');
}

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0');
}
