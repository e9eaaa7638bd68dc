import { useState } from 'react'
import { isConflict } from '../api/api-error.ts'
import { toast } from '../ui/feedback/toast.ts'
import { useTranslation } from '../ui/text/use-translation.ts'
import { type Values as Fields, mergeValues } from './merge-values.ts'
import { type CallFormSettings, useCallForm } from './use-call-form.ts'
import { useLostSave } from './use-lost-save.ts'
import { useNewerValues } from './use-newer-values.ts'

type SavedFormOf<Stored, Values extends object, Field extends string> = Pick<
  CallFormSettings<Values, Field, Stored>,
  'labels' | 'fieldFor' | 'fieldsOf' | 'isWaiting'
> & {
  stored: Stored
  valuesOf: (stored: Stored) => Values
  send: (values: Values, version: number) => Promise<Stored>
  /** Updates the shared cache with the saved value. */
  keep: (saved: Stored) => void
  readAgain: () => Promise<Stored>
}

/** The form of one versioned settings section for `SavedForm`: saved as a whole, on top of the version that it shows. */
export function useSavedForm<Stored extends { version: number }, Values extends object, Field extends string>(
  of: SavedFormOf<Stored, Values, Field>,
) {
  const { stored, valuesOf, send, keep, readAgain, ...fields } = of
  const { t } = useTranslation()
  const [base, setBase] = useState(stored)
  const lost = useLostSave<Values>()
  const form = useCallForm<Values, Field, Stored>({
    ...fields,
    start: valuesOf(base),
    send: (values) =>
      send(values, base.version).catch((error: unknown) => {
        lost.note(error, values)
        throw error
      }),
    startAfter: (_sent, saved) => valuesOf(saved),
    onDone: (saved) => {
      keep(saved)
      setBase(saved)
      lost.take()
      toast.done(t('Saved.'))
    },
    afterDone: 'anew',
  })
  /** Their changes, and what was typed in the fields that they left alone. */
  const take = (fresh: Stored) => {
    setBase(fresh)
    const theirs = valuesOf(fresh)
    const begun = lost.begun(valuesOf(base), theirs)
    form.rebase(theirs, (mine) => mergeValues(begun as Fields, theirs as Fields, mine as Fields).values as Values)
  }
  useNewerValues(form, stored.version > base.version, () => take(stored))
  return {
    ...form,
    isWaiting: of.isWaiting,
    isLate: isConflict(form.error),
    /** Takes over what another user saved in the meantime. */
    reload: () => readAgain().then(take, (error: Error) => form.refuse(error.message)),
  }
}
