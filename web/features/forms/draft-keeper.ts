/** What was saved of a form, and whether there is more by now. */
export type Keeping = {
  savedAt: number | null
  isDirty: boolean
  /** `elsewhere`: another device saved since; `changed`: the form was published anew; `failed`: it is tried again. */
  problem: 'elsewhere' | 'changed' | 'failed' | null
}

type Saved = { _id: string; revision: number; saved_at: number }
type Known = { _id: string; revision: number; saved_at: number } | null

type KeeperSettings = {
  /** What was begun before; null where nothing was. */
  known: Known
  /** What is entered already is saved nowhere yet. */
  startsDirty?: boolean
  /** Goes up with everything that is entered. */
  edits: () => number
  save: (revision: number | null) => Promise<Saved>
  /** What a failure means: `failed` is tried again, the others are for the person to decide. */
  reasonOf: (error: unknown) => NonNullable<Keeping['problem']>
  restMs: number
  againMs: number
  /** The browser's, unless a test counts by its own. */
  timers?: { set: (act: () => void, ms: number) => unknown; clear: (timer: unknown) => void }
}

const browserTimers = {
  set: (act: () => void, ms: number): unknown => setTimeout(act, ms),
  clear: (timer: unknown): void => clearTimeout(timer as number),
}

/**
 * Saves what was entered once the typing rests, one save at a time, each going on from the revision of the one before, so
 * that what another device saved is never overwritten unseen.
 */
export function createDraftKeeper(settings: KeeperSettings) {
  const { known, startsDirty = false, edits, save, reasonOf, restMs, againMs, timers = browserTimers } = settings
  let draft = known
  let savedEdits = startsDirty ? -1 : edits()
  let running: Promise<void> | null = null
  let timer: unknown = null
  let isOver = false
  let isAway = false
  let seen: Keeping = { savedAt: known?.saved_at ?? null, isDirty: false, problem: null }
  const listeners = new Set<() => void>()

  function show(change: Partial<Keeping>): void {
    const next = { ...seen, isDirty: !isOver && edits() !== savedEdits, ...change }
    if (next.savedAt === seen.savedAt && next.isDirty === seen.isDirty && next.problem === seen.problem) return
    seen = next
    for (const tell of listeners) tell()
  }

  function later(ms: number): void {
    timers.clear(timer)
    if (isAway) return
    timer = timers.set(() => void saveNow(), ms)
  }

  const isStuck = () => seen.problem === 'elsewhere' || seen.problem === 'changed'

  async function saveOnce(): Promise<void> {
    const upTo = edits()
    try {
      draft = await save(draft?.revision ?? null)
      savedEdits = upTo
      show({ savedAt: draft.saved_at, problem: null })
      if (edits() !== upTo && !isOver) later(restMs)
    } catch (error) {
      show({ problem: reasonOf(error) })
      if (!isStuck() && !isOver) later(againMs)
    }
  }

  async function saveNow(): Promise<void> {
    timers.clear(timer)
    if (running) return running
    if (isOver || isStuck() || edits() === savedEdits) return
    running = saveOnce().finally(() => {
      running = null
    })
    return running
  }

  /** Something was entered. */
  function touch(): void {
    show({})
    if (!running && !isStuck() && !isOver) later(restMs)
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
    /** Whatever is on its way has come: what is sent now is the draft's end. */
    async rest(): Promise<string | null> {
      timers.clear(timer)
      await running
      timers.clear(timer)
      return draft?._id ?? null
    },
    /** While nobody has the form before them, nothing more is tried. */
    watch(isThere: boolean): void {
      isAway = !isThere
      timers.clear(timer)
      if (isThere && edits() !== savedEdits) touch()
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
