import { useState } from 'react'
import { type OpenedForm, useOpenedForm, useReopening } from './use-forms.ts'

/** The input carried over when the form is reopened. */
export type Carried = {
  answers: Record<string, unknown>
  step?: number
  /** True when the input is used only without a saved draft. */
  isSpare?: boolean
}

/**
 * Holds the form as it was when opened. Global refetches, for example after accepting new terms, do not change a form that is
 * being filled in.
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
