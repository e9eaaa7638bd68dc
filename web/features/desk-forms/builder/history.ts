/** What was, what is, and what was taken back; `mark` names what the last change was made by. */
export type History<Thing> = { past: Thing[]; now: Thing; future: Thing[]; mark: string | null }

const stepsMax = 200

export const beginHistory = <Thing>(now: Thing): History<Thing> => ({ past: [], now, future: [], mark: null })

/** Typing in one place is one step: changes with the same mark, one after the other, are taken back together. */
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
