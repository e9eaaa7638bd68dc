import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from './api-error.ts'

type SavedFormOf<Kept, Values> = {
  kept: Kept
  valuesOf: (kept: Kept) => Values
  send: (values: Values, version: number) => Promise<Kept>
  /** Updates the shared cache with the saved value. */
  keep: (saved: Kept) => void
  readAgain: () => Promise<Kept>
}

/** State of one settings section for `SavedForm`: the saved version, the current values and saving. */
export function useSavedForm<Kept extends { version: number }, Values>(of: SavedFormOf<Kept, Values>) {
  const { kept, valuesOf, send, keep, readAgain } = of
  const [start, setStart] = useState(kept)
  const [values, setValues] = useState(() => valuesOf(kept))
  const begin = (from: Kept) => {
    setStart(from)
    setValues(valuesOf(from))
  }
  const save = useMutation({
    mutationFn: () => send(values, start.version),
    onSuccess: (saved) => {
      keep(saved)
      begin(saved)
    },
  })
  const fieldErrors = save.error instanceof ApiError ? save.error.fieldErrors : {}
  return {
    values,
    change: (part: Partial<Values>) => setValues((before) => ({ ...before, ...part })),
    isDirty: JSON.stringify(values) !== JSON.stringify(valuesOf(start)),
    undo: () => {
      setValues(valuesOf(start))
      save.reset()
    },
    /** Replaces the values with those that another user saved in the meantime. */
    async reload() {
      begin(await readAgain())
      save.reset()
    },
    save,
    isLate: save.error instanceof ApiError && save.error.code === 'conflict',
    hasFieldErrors: Object.keys(fieldErrors).length > 0,
    errorOf: (field: string) => fieldErrors[field]?.join(' '),
  }
}
