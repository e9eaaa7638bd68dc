export type AbsenceTiming = { settleMs: number; lookAgainMs: number }

type Looks = {
  sentAt: Date
  /** When the first look began that found nothing; null before. */
  absentSince: Date | null
  /** When the look that just found nothing began: what it read first may be as old as that. */
  lookedAt: Date
  now: Date
}

export type Absence = { isProven: true } | { isProven: false; since: Date; dueInMs: number }

/**
 * What a look that found nothing is worth. Absence is believed only when the settling time has passed since the send and
 * two looks that found nothing lie apart; until then the next look is due when both can be so.
 */
export function judgeAbsence({ sentAt, absentSince, lookedAt, now }: Looks, timing: AbsenceTiming): Absence {
  const seenAt = lookedAt.getTime()
  const settledAt = sentAt.getTime() + timing.settleMs
  if (absentSince && seenAt >= settledAt && seenAt - absentSince.getTime() >= timing.lookAgainMs) {
    return { isProven: true }
  }
  const since = absentSince ?? lookedAt
  const dueAt = Math.max(settledAt, since.getTime() + timing.lookAgainMs, now.getTime() + 1)
  return { isProven: false, since, dueInMs: dueAt - now.getTime() }
}
