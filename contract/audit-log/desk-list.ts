import { day, declareList, id, text } from '../list.ts'

const uuid = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/**
 * The audit log of the brokerage. `actor`: an id or a kind of actor; `action`: `noun.past-tense`, or a noun with a point for all of
 * its actions; `member`: the affected member; `subject`: the affected object; days are in the brokerage's time zone.
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
