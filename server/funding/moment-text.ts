/** Server texts give times in this zone; screens convert them to the reader's zone. */
export function momentText(moment: Date): string {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat('en-GB', format).format(moment)} UTC`
}
