declare module 'pg/lib/utils.js' {
  /** Serializes a value to the text format of the database. */
  export function prepareValue(value: unknown): string | Buffer | null
}
