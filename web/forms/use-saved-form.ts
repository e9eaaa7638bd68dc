import { useState } from 'react'
import { isConflict } from '../api/api-error.ts'
import { toast } from '../ui/feedback/toast.ts'
import { useTranslation } from '../ui/text/use-translation.ts'
import { type CallFormSettings, useCallForm } from './use-call-form.ts'

type SavedFormOf<Kept, Values extends object, Field extends string> = Pick<
  CallFormSettings<Values, Field, Kept>,
  'labels' | 'fieldFor' | 'fieldsOf'
> & {
  kept: Kept
  valuesOf: (kept: Kept) => Values
  send: (values: Values, version: number) => Promise<Kept>
  /** Updates the shared cache with the saved value. */
  keep: (saved: Kept) => void
  readAgain: () => Promise<Kept>
}

/** The form of one versioned settings section for `SavedForm`: saved as a whole, on top of the version that it shows. */
export function useSavedForm<Kept extends { version: number }, Values extends object, Field extends string>(
  of: SavedFormOf<Kept, Values, Field>,
) {
  const { kept, valuesOf, send, keep, readAgain, ...fields } = of
  const { t } = useTranslation()
  const [base, setBase] = useState(kept)
  const form = useCallForm<Values, Field, Kept>({
    ...fields,
    start: valuesOf(base),
    send: (values) => send(values, base.version),
    startAfter: (_sent, saved) => valuesOf(saved),
    onDone: (saved) => {
      keep(saved)
      setBase(saved)
      toast.done(t('Saved.'))
    },
    afterDone: 'anew',
  })
  return {
    ...form,
    isLate: isConflict(form.error),
    /** Replaces the values with those that another user saved in the meantime. */
    async reload() {
      const fresh = await readAgain()
      setBase(fresh)
      form.begin(valuesOf(fresh))
    },
  }
}
