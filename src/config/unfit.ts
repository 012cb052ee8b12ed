/** A value that will not do; the message says what would. */
export class Unfit extends Error {}
