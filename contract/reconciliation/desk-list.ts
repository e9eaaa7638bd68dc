import { choice, day, declareList, text } from '../list.ts'

/** The compared days, newest first; by default the last thirty. `only` are days with mismatches. */
export const daysList = declareList({
  name: 'reconciliation',
  rows: 'days',
  filters: {
    from: day,
    to: day,
    currency: text(/^[A-Z0-9]{2,12}$/, 12),
    method: text(/^[\w:.-]{1,60}$/, 60),
    only: choice(['differences']),
  },
})
