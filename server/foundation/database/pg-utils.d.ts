declare module 'pg/lib/utils.js' {
  /** A value as the database reads it as text. */
  export function prepareValue(value: unknown): string | Buffer | null
}
