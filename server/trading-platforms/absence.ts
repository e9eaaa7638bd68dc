export type AbsenceTiming = { settleMs: number; lookAgainMs: number }

type Observation = {
  sentAt: Date
  /** Start of the first empty look-up; null before. */
  absentSince: Date | null
  /** Start of the look-up that was just empty: its first page may be as old as that. */
  lookUpStartedAt: Date
  now: Date
}

export type Absence = { isProven: true } | { isProven: false; since: Date; dueInMs: number }

/**
 * Judges an empty look-up. Absence is proven when the settling time has passed since the send and two empty look-ups
 * are far enough apart; until then the next look-up is due when both can hold.
 */
export function judgeAbsence(
  { sentAt, absentSince, lookUpStartedAt, now }: Observation,
  timing: AbsenceTiming,
): Absence {
  const startedAt = lookUpStartedAt.getTime()
  const settledAt = sentAt.getTime() + timing.settleMs
  if (absentSince && startedAt >= settledAt && startedAt - absentSince.getTime() >= timing.lookAgainMs) {
    return { isProven: true }
  }
  const since = absentSince ?? lookUpStartedAt
  const dueAt = Math.max(settledAt, since.getTime() + timing.lookAgainMs, now.getTime() + 1)
  return { isProven: false, since, dueInMs: dueAt - now.getTime() }
}
