import { declareList, search, text } from '../list.ts'

/** The acceptances of a template, newest first. Searches by customer number, or by part of the name or email. */
export const acceptancesList = declareList({
  name: 'acceptances',
  file: 'terms-accepted',
  isNumbered: true,
  filters: { q: search, version: text(/^[1-9]\d{0,4}$/, 5) },
})
