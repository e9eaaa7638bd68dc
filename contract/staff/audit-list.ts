import { day, declareList, id, text } from '../list.ts'

const uuid = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/**
 * What happened in the brokerage. `actor`: a colleague, a member, or what they are; `action`: `noun.past-tense`, or a noun with
 * a point for all of its actions; `member`: whose business it is; `subject`: what it was done to; days are the brokerage's.
 */
export const auditList = declareList({
  name: 'audit',
  rows: 'entries',
  file: 'audit-log',
  filters: {
    actor: text(new RegExp(`^(staff|member|system|${uuid})$`), 36),
    action: text(/^[a-z.-]+$/, 60),
    member: id,
    subject: text(/^[a-z_-]+$/, 60),
    from: day,
    to: day,
  },
})
