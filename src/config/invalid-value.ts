/** An invalid value; the message states what is valid. */
export class InvalidValue extends Error {}
