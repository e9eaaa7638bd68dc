/** The days of a filter in the address: `yyyy-mm-dd`, both included, and left out where nothing was chosen. */
export type DaySpan = { from?: string; to?: string }

const dayShape = /^\d{4}-\d{2}-\d{2}$/

export function readDaySpan(search: Record<string, unknown>): DaySpan {
  const read = (name: 'from' | 'to') => {
    const value = search[name]
    return typeof value === 'string' && dayShape.test(value) ? { [name]: value } : {}
  }
  return { ...read('from'), ...read('to') }
}
