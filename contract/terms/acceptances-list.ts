import { declareList, search, text } from '../list.ts'

/** Who accepted a template, the latest first. Searched for by a customer number, or a part of the name or of the email. */
export const acceptancesList = declareList({
  name: 'acceptances',
  file: 'terms-accepted',
  isNumbered: true,
  filters: { q: search, version: text(/^[1-9]\d{0,4}$/, 5) },
})
