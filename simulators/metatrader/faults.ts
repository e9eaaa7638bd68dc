export type FaultKind =
  | 'delay'
  | 'fail-before'
  | 'drop-before'
  | 'execute-then-drop'
  | 'execute-then-500'
  | 'execute-then-garbage'
  | 'answer-code'
  | 'close-session'
  | 'late-answer'
  | 'land-after'
  | 'rewrite-comment'

/**
 * What happens to the next `times` calls of `path`: the path, or for a bridge the call as its document names it, such as
 * `PUT /v1/accounts/{login}/password`; exact, or a beginning followed by `*`.
 *
 * - `delay`: waits `ms`, then executes and answers, even if the caller is gone by then.
 * - `late-answer`: executes at once and answers after `ms`.
 * - `land-after`: drops the connection at once and executes after `ms` all the same.
 * - `answer-code`: answers `code` without executing.
 * - `close-session`: answers 403 and forgets the sign-in, without executing.
 * - `rewrite-comment`: executes with `comment` in place of the sent one, as a bad plugin would.
 */
export type FaultRule = { path: string; times: number; kind: FaultKind; ms?: number; code?: number; comment?: string }

export type Faults = ReturnType<typeof openFaults>

export function openFaults() {
  let rules: FaultRule[] = []
  return {
    add: (rule: FaultRule) => {
      rules.push({ ...rule })
    },
    clear: () => {
      rules = []
    },
    /** The first rule for the path, used up by one. */
    take: (path: string): FaultRule | undefined => {
      const rule = rules.find((one) => one.times > 0 && matches(one.path, path))
      if (rule !== undefined) rule.times -= 1
      return rule
    },
  }
}

function matches(wanted: string, path: string): boolean {
  return wanted.endsWith('*') ? path.startsWith(wanted.slice(0, -1)) : wanted === path
}

export type Waiting = ReturnType<typeof openWaiting>

/** Work that waits for its time, and can be made to happen now or never. */
export function openWaiting() {
  const waiting = new Map<NodeJS.Timeout, () => void>()
  const forget = () => {
    for (const timer of waiting.keys()) clearTimeout(timer)
    waiting.clear()
  }
  return {
    after: (ms: number, work: () => void) => {
      const timer = setTimeout(() => {
        waiting.delete(timer)
        work()
      }, ms)
      timer.unref()
      waiting.set(timer, work)
    },
    now: (): number => {
      const due = [...waiting.values()]
      forget()
      for (const work of due) work()
      return due.length
    },
    forget,
  }
}
