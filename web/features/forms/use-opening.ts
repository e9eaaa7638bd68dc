import { useState } from 'react'
import { type OpenedForm, useOpenedForm, useReopening } from './use-forms.ts'

/** What was entered before the form was opened anew. */
export type Carried = {
  answers: Record<string, unknown>
  step?: number
  /** Only where nothing is saved: what is saved is asked for. */
  isSpare?: boolean
}

/**
 * A form as it was when it was opened. It is read again whenever everything is, after new terms were accepted for instance:
 * that changes nothing under the hands of whoever fills it in.
 */
export function useOpening(formId: string) {
  const { data, error, refetch } = useOpenedForm(formId)
  const { reopen, startOver } = useReopening(formId)
  const [{ count, carried }, setOpening] = useState<{ count: number; carried: Carried | null }>({
    count: 0,
    carried: null,
  })
  const [held, setHeld] = useState<{ name: string; opened: OpenedForm } | null>(null)
  const name = `${formId} ${count}`
  if (data && held?.name !== name) setHeld({ name, opened: data })
  const next = (carry: Carried | null) => setOpening({ count: count + 1, carried: carry })
  return {
    name,
    opened: held?.name === name ? held.opened : data,
    carried,
    error,
    refetch,
    reopen: (carry: Carried) => {
      void reopen()
      next(carry)
    },
    startOver: async () => {
      await startOver()
      next(null)
    },
  }
}
