/** A value that will not do; the message says what would. */
export class InvalidValue extends Error {}
