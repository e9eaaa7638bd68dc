/** What was saved of a form, and whether there is more by now. */
export type Keeping = {
  savedAt: number | null
  isDirty: boolean
  /**
   * `elsewhere`: another device saved since; `changed`: the form was published anew; `failed`: it is tried again; `sent`: the
   * submission came that got no answer. What is dirty then was entered after it.
   */
  problem: 'elsewhere' | 'changed' | 'failed' | 'sent' | null
}

/** `unanswered`: nobody knows whether it was saved. It is tried again, as `failed` is; the others are for the person to decide. */
export type SaveFailure = NonNullable<Keeping['problem']> | 'unanswered'

type Saved = { _id: string; revision: number; saved_at: number }
type Sent<Entered> = { revision: number | null; edits: number; step: number; entered: Entered }

type Resumed = { isElsewhere?: boolean; unheard?: string | undefined }

type KeeperSettings<Entered> = {
  /** What was begun before; null where nothing was. */
  known: Saved | null
  /** What is entered already is saved nowhere yet. */
  startsDirty?: boolean
  /** Goes up with everything that is entered. */
  edits: () => number
  /** Where in the form somebody is. */
  step: () => number
  /** All of it, as it is saved. */
  entered: () => Entered
  /** The submission is one of the same form that got no answer: where it came, there is nothing left to be saved. */
  save: (revision: number | null, entered: Entered, submission: string | null) => Promise<Saved>
  reasonOf: (error: unknown) => SaveFailure
  restMs: number
  /** Typing that never rests is saved after so long nevertheless. */
  unsavedMsMax: number
  againMs: number
  /** The browser's, unless a test counts by its own. */
  timers?: { set: (act: () => void, ms: number) => unknown; clear: (timer: unknown) => void; now: () => number }
}

const browserTimers = {
  set: (act: () => void, ms: number): unknown => setTimeout(act, ms),
  clear: (timer: unknown): void => clearTimeout(timer as number),
  now: (): number => performance.now(),
}

/**
 * Saves what was entered once the typing rests, one save at a time, each going on from the revision of the one before, so
 * that what another device saved is never overwritten unseen. What got no answer is sent again as it was before anything
 * newer is: the server knows it by that, and would take the newer text for another device's otherwise.
 */
export function createDraftKeeper<Entered>(settings: KeeperSettings<Entered>) {
  const { known, startsDirty = false, edits, step, entered, save, reasonOf } = settings
  const { restMs, unsavedMsMax, againMs, timers = browserTimers } = settings
  let draft = known
  let saved = { edits: startsDirty ? -1 : edits(), step: step() }
  let unanswered: Sent<Entered> | null = null
  let unheard: { submission: string; edits: number; revision: number | null } | null = null
  let rested: { edits: number; revision: number | null } = { edits: 0, revision: null }
  let running: Promise<void> | null = null
  let timer: unknown = null
  let waitsSince: number | null = null
  let isOver = false
  let isAway = false
  let isResting = false
  let seen: Keeping = { savedAt: known?.saved_at ?? null, isDirty: false, problem: null }
  const listeners = new Set<() => void>()

  const hasEdits = () => edits() !== saved.edits
  // A page that was turned in an empty form is nothing to come back to, and would be another device's obstacle.
  const isBehind = () => hasEdits() || unanswered !== null || (draft !== null && step() !== saved.step)
  const isStuck = () => seen.problem !== null && seen.problem !== 'failed'
  const revisionNow = () => draft?.revision ?? null
  const isInDoubt = () =>
    unheard !== null && edits() !== unheard.edits && hasEdits() && revisionNow() === unheard.revision

  function show(change: Partial<Keeping>): void {
    const next = { ...seen, isDirty: !isOver && hasEdits(), ...change }
    if (next.savedAt === seen.savedAt && next.isDirty === seen.isDirty && next.problem === seen.problem) return
    seen = next
    for (const tell of listeners) tell()
  }

  function later(ms: number): void {
    timers.clear(timer)
    if (isAway || isResting || isOver) return
    timer = timers.set(() => void saveNow(), ms)
  }

  async function saveOnce(): Promise<void> {
    waitsSince = null
    const sent = unanswered ?? { revision: revisionNow(), edits: edits(), step: step(), entered: entered() }
    try {
      draft = await save(sent.revision, sent.entered, unheard?.submission ?? null)
      unanswered = null
      saved = sent
      show({ savedAt: draft.saved_at, problem: null })
      if (isBehind()) later(restMs)
    } catch (error) {
      const reason = reasonOf(error)
      unanswered = reason === 'unanswered' ? sent : null
      if (reason === 'sent' && unheard) saved = { edits: unheard.edits, step: step() }
      show({ problem: reason === 'unanswered' ? 'failed' : reason })
      if (!isStuck()) later(againMs)
    }
  }

  async function saveNow(): Promise<void> {
    timers.clear(timer)
    if (running) return running
    if (isOver || isStuck() || !isBehind()) return
    running = saveOnce().finally(() => {
      running = null
    })
    return running
  }

  /** Something was entered, or a page was turned. */
  function touch(): void {
    show({})
    if (running || isStuck() || !isBehind()) return
    const now = timers.now()
    waitsSince ??= now
    later(Math.max(0, Math.min(restMs, waitsSince + unsavedMsMax - now)))
  }

  return {
    keeping: (): Keeping => seen,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    touch,
    /**
     * Whatever is on its way has come, and nothing follows until `resume`: what is sent now is the draft's end, and a save that
     * came before it would make it one from another device.
     */
    async rest(): Promise<{ _id: string; revision: number } | null> {
      isResting = true
      const edited = edits()
      timers.clear(timer)
      await running
      if (unanswered || isInDoubt()) await saveNow()
      rested = { edits: edited, revision: revisionNow() }
      return draft
    },
    /**
     * Whether other answers than these may have been sent. A draft that was saved since keeps them from coming any more: there
     * is doubt only where nothing could be saved.
     */
    isInDoubt,
    /** It was not sent after all, or got no answer: then that submission is named to the server by whatever is saved. */
    resume({ isElsewhere = false, unheard: submission }: Resumed = {}): void {
      isResting = false
      if (submission !== undefined) unheard = { submission, ...rested }
      // What another device seems to have saved may be what we got no answer to.
      if (isElsewhere && !unanswered) show({ problem: 'elsewhere' })
      else touch()
    },
    /** While nobody has the form before them, nothing more is tried. */
    watch(isThere: boolean): void {
      isAway = !isThere
      timers.clear(timer)
      if (isThere) touch()
    },
    /** It was sent: nothing of it is saved any more. */
    end(): void {
      isOver = true
      timers.clear(timer)
      show({ isDirty: false })
    },
  }
}

export type DraftKeeper = ReturnType<typeof createDraftKeeper>
