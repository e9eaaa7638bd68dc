import { type RefObject, useEffect, useRef, useState } from 'react'
import { toast } from '../feedback/toast.ts'
import { readerLanguage } from '../text/format.ts'
import { useTranslation } from '../text/use-translation.ts'

/**
 * The common reaction to invalid fields, besides the messages under them: a toast at the bottom names the fields, and
 * the first one gets the focus.
 */
export function useWrongFields(given?: RefObject<HTMLFormElement | null>) {
  const { t } = useTranslation()
  const own = useRef<HTMLFormElement>(null)
  const form = given ?? own
  const [round, setRound] = useState(0)
  // After the messages are rendered: only then does the page mark the invalid fields.
  useEffect(() => {
    if (round > 0) focusFirstWrong(form.current)
  }, [round, form])
  const announce = (labels: string[]) => {
    if (labels.length === 0) return
    const fields = new Intl.ListFormat(readerLanguage(), { type: 'unit' }).format(new Set(labels))
    if (fields !== '') toast.invalid(t('Please check: {{fields}}', { fields }))
    setRound((before) => before + 1)
  }
  return { form, announce }
}

function focusFirstWrong(form: HTMLFormElement | null): void {
  const wrong = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
  const field = wrong?.matches('input, textarea, select, [contenteditable]')
    ? wrong
    : wrong?.querySelector<HTMLElement>('input, textarea')
  field?.focus()
}
