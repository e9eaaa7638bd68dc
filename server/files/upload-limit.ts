import type { Member, Staff } from '../foundation/actor.ts'
import { makeConcurrencyLimiter } from '../foundation/concurrency-limiter.ts'
import { refuse } from '../foundation/errors.ts'

/** Concurrent uploads per person in this process: each sign-in would otherwise bring as many again. */
const perPersonMax = 4

const idOf = (person: Member | Staff): string => (person.kind === 'member' ? person.memberId : person.staffId)

/** Limits concurrent uploads of one person; further ones are refused. */
export function makeUploadLimit() {
  const people = new Map<string, number>()

  return async <Result>(person: Member | Staff, work: () => Promise<Result>): Promise<Result> => {
    const id = idOf(person)
    const under = people.get(id) ?? 0
    if (under >= perPersonMax) {
      const sentence = 'Please wait until your other uploads are done.'
      refuse('too_many_requests', sentence, { errors: { file: [sentence] }, retryAfterSeconds: 2 })
    }
    people.set(id, under + 1)
    try {
      return await work()
    } finally {
      const left = (people.get(id) ?? 1) - 1
      if (left > 0) people.set(id, left)
      else people.delete(id)
    }
  }
}

/** Per process: it bounds processor, disk and memory, not what a person may send. */
const inspectionsAtOnce = 2

/** Runs inspections of received files, a few at a time. Those that wait take turns by brokerage, and in each by person. */
export function makeInspections(atOnce = inspectionsAtOnce) {
  const limiter = makeConcurrencyLimiter(atOnce)
  return <Result>(person: Member | Staff, work: () => Promise<Result>): Promise<Result> =>
    limiter(work, { whose: person.workspaceId, network: idOf(person) })
}
