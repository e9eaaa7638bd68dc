/** Past, present and undone states; `mark` identifies the source of the last change. */
export type History<Thing> = { past: Thing[]; now: Thing; future: Thing[]; mark: string | null }

const stepsMax = 200

export const beginHistory = <Thing>(now: Thing): History<Thing> => ({ past: [], now, future: [], mark: null })

/** Consecutive changes with the same mark, such as typing in one field, form one undo step. */
export function remember<Thing>(history: History<Thing>, next: Thing, mark: string | null = null): History<Thing> {
  if (next === history.now) return history
  const goesOn = mark !== null && mark === history.mark
  const past = goesOn ? history.past : [...history.past, history.now].slice(-stepsMax)
  return { past, now: next, future: [], mark }
}

export function undo<Thing>(history: History<Thing>): History<Thing> {
  const before = history.past.at(-1)
  if (before === undefined) return history
  return { past: history.past.slice(0, -1), now: before, future: [history.now, ...history.future], mark: null }
}

export function redo<Thing>(history: History<Thing>): History<Thing> {
  const [after, ...future] = history.future
  if (after === undefined) return history
  return { past: [...history.past, history.now], now: after, future, mark: null }
}
