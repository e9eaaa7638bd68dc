/** A sentence of the server's has no time zone but this; screens say it again in the reader's own. */
export function sayMoment(moment: Date): string {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat('en-GB', format).format(moment)} UTC`
}
