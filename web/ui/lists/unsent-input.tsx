import { Button } from '@mantine/core'
import { createContext, useContext, useEffect, useRef, useState } from 'react'
import { Callout } from '../feedback/state.tsx'
import { useTranslation } from '../text/use-translation.ts'

export type UnsentEntry = {
  values: unknown
  /** True when the input was or may have been sent: it is then not offered, to avoid a second order. */
  mayBeDone?: (() => boolean) | undefined
}

export type UnsentInputStore = {
  /** Stores the input if the session is over; does nothing if the form is only left. */
  keep: (form: string, entry: UnsentEntry) => void
  find: (form: string) => unknown
  drop: (form: string) => void
}

export const UnsentInputContext = createContext<UnsentInputStore | null>(null)

type UnsentInputProps<Values> = {
  /** The form and its subject. */
  form: string
  values: Values
  isDirty: boolean
  mayBeDone?: () => boolean
  onRestore: (values: Values) => void
}

/** At the top of a form: offers the input that an expired session interrupted. Nothing is sent automatically. */
export function UnsentInput<Values>({ form, values, isDirty, mayBeDone, onRestore }: UnsentInputProps<Values>) {
  const { t } = useTranslation()
  const keeper = useContext(UnsentInputContext)
  const now = useRef({ values, isDirty, mayBeDone })
  now.current = { values, isDirty, mayBeDone }
  const [entry, setEntry] = useState(() => keeper?.find(form))
  useEffect(
    () => () => {
      const { isDirty, ...left } = now.current
      if (isDirty) keeper?.keep(form, left)
    },
    [keeper, form],
  )
  if (entry === undefined) return null
  const settle = () => {
    keeper?.drop(form)
    setEntry(undefined)
  }
  return (
    <Callout meaning="blue">
      <p>{t('Your session ended before this was sent. What you entered is still here.')}</p>
      <div data-group="sm" data-align="center" data-above="xs">
        <Button
          size="xs"
          onClick={() => {
            onRestore(entry as Values)
            settle()
          }}
        >
          {t('Restore my entries')}
        </Button>
        <Button size="xs" variant="default" onClick={settle}>
          {t('Discard')}
        </Button>
      </div>
    </Callout>
  )
}
