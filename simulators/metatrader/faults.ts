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
 * Applies to the next `times` calls of `path`: the path, or for a bridge the call as its document names it, such as
 * `PUT /v1/accounts/{login}/password`; exact, or a prefix followed by `*`.
 *
 * - `delay`: waits `ms`, then executes and answers, even if the caller has disconnected.
 * - `late-answer`: executes immediately and answers after `ms`.
 * - `land-after`: drops the connection immediately and still executes after `ms`.
 * - `answer-code`: answers `code` without executing.
 * - `close-session`: answers 403 and ends the session, without executing.
 * - `rewrite-comment`: executes with `comment` in place of the sent one, as a faulty plugin would.
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
    /** Consumes one use of the first rule for the path. */
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

/** Delayed work that can be run immediately or cancelled. */
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
