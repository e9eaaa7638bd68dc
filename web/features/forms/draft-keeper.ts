import { makeListeners } from './listeners.ts'

/** The saved state of a form, and whether there are unsaved changes. */
export type Keeping = {
  savedAt: number | null
  isDirty: boolean
  /**
   * `elsewhere`: another device saved since; `changed`: a new version of the form was published; `failed`: will be retried;
   * `sent`: an unanswered submission did arrive, so only later input is dirty.
   */
  problem: 'elsewhere' | 'changed' | 'failed' | 'sent' | null
}

/** `unanswered`: the outcome is unknown. It is retried like `failed`; the other failures need a decision by the user. */
export type SaveFailure = NonNullable<Keeping['problem']> | 'unanswered'

type Saved = { _id: string; revision: number; saved_at: number }
type Sent<Entered> = { revision: number | null; edits: number; step: number; entered: Entered }

type Resumed = { isElsewhere?: boolean; unheard?: string | undefined }

type KeeperSettings<Entered> = {
  /** The existing draft; null if there is none. */
  known: Saved | null
  /** True when the initial input is not saved anywhere. */
  startsDirty?: boolean
  /** A counter that increases with every input. */
  edits: () => number
  /** The current step of the form. */
  step: () => number
  /** The complete input, as saved. */
  entered: () => Entered
  /** `submission` is an earlier submission without an answer; if it arrived, the server refuses the save as `sent`. */
  save: (revision: number | null, entered: Entered, submission: string | null) => Promise<Saved>
  reasonOf: (error: unknown) => SaveFailure
  debounceMs: number
  /** The maximum delay of a save during continuous typing. */
  unsavedMsMax: number
  againMs: number
  /** The browser's timers by default; tests provide their own. */
  timers?: { set: (act: () => void, ms: number) => unknown; clear: (timer: unknown) => void; now: () => number }
}

const browserTimers = {
  set: (act: () => void, ms: number): unknown => setTimeout(act, ms),
  clear: (timer: unknown): void => clearTimeout(timer as number),
  now: (): number => performance.now(),
}

/**
 * Saves a draft after a pause in typing, one save at a time, each based on the revision of the previous one, so that a save by
 * another device is never overwritten silently. A save without an answer is resent unchanged before newer input; the server
 * recognises the repeat, and would take newer input for a conflict with another device.
 */
export function createDraftKeeper<Entered>(settings: KeeperSettings<Entered>) {
  const { known, startsDirty = false, edits, step, entered, save, reasonOf } = settings
  const { debounceMs, unsavedMsMax, againMs, timers = browserTimers } = settings
  let draft = known
  let saved = { edits: startsDirty ? -1 : edits(), step: step() }
  let unanswered: Sent<Entered> | null = null
  let unheard: { submission: string; edits: number; revision: number | null } | null = null
  let pausedAt: { edits: number; revision: number | null } = { edits: 0, revision: null }
  let running: Promise<void> | null = null
  let timer: unknown = null
  let waitsSince: number | null = null
  let isOver = false
  let isAway = false
  let isPaused = false
  let seen: Keeping = { savedAt: known?.saved_at ?? null, isDirty: false, problem: null }
  const listeners = makeListeners()

  const hasEdits = () => edits() !== saved.edits
  // A page change alone creates no draft: it holds no input and would conflict with other devices.
  const isBehind = () => hasEdits() || unanswered !== null || (draft !== null && step() !== saved.step)
  const isStuck = () => seen.problem !== null && seen.problem !== 'failed'
  const revisionNow = () => draft?.revision ?? null
  const isInDoubt = () =>
    unheard !== null && edits() !== unheard.edits && hasEdits() && revisionNow() === unheard.revision

  function show(change: Partial<Keeping>): void {
    const next = { ...seen, isDirty: !isOver && hasEdits(), ...change }
    if (next.savedAt === seen.savedAt && next.isDirty === seen.isDirty && next.problem === seen.problem) return
    seen = next
    listeners.notify()
  }

  function later(ms: number): void {
    timers.clear(timer)
    if (isAway || isPaused || isOver) return
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
      if (isBehind()) later(debounceMs)
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

  /** Call after every input and page change. */
  function touch(): void {
    show({})
    if (running || isStuck() || !isBehind()) return
    const now = timers.now()
    waitsSince ??= now
    later(Math.max(0, Math.min(debounceMs, waitsSince + unsavedMsMax - now)))
  }

  return {
    keeping: (): Keeping => seen,
    subscribe: listeners.add,
    touch,
    /**
     * Waits for a running save and starts no other until `resume`. The submission ends the draft, and a save in between would
     * appear to come from another device.
     */
    async pause(): Promise<{ _id: string; revision: number } | null> {
      isPaused = true
      const edited = edits()
      timers.clear(timer)
      await running
      if (unanswered || isInDoubt()) await saveNow()
      pausedAt = { edits: edited, revision: revisionNow() }
      return draft
    },
    /**
     * True when an earlier submission with other answers may have arrived. A draft saved since then blocks that submission, so
     * the doubt remains only if nothing could be saved.
     */
    isInDoubt,
    /** Call when the submission failed or got no answer; later saves then name the unanswered submission to the server. */
    resume({ isElsewhere = false, unheard: submission }: Resumed = {}): void {
      isPaused = false
      if (submission !== undefined) unheard = { submission, ...pausedAt }
      // The save attributed to another device may be our own with a lost answer.
      if (isElsewhere && !unanswered) show({ problem: 'elsewhere' })
      else touch()
    },
    /** Suspends saving while the form is not visible. */
    watch(isThere: boolean): void {
      isAway = !isThere
      timers.clear(timer)
      if (isThere) touch()
    },
    /** Call after the submission; nothing is saved any more. */
    end(): void {
      isOver = true
      timers.clear(timer)
      show({ isDirty: false })
    },
  }
}

export type DraftKeeper = ReturnType<typeof createDraftKeeper>
