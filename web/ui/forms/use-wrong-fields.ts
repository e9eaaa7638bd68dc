import { type RefObject, useEffect, useRef, useState } from 'react'
import { toast } from '../feedback/toast.ts'
import { readerLanguage } from '../text/format.ts'
import { useTranslation } from '../text/use-translation.ts'

/** The events of a person who corrects a field. */
const corrections = ['input', 'click']

/**
 * The common reaction to invalid fields, besides the messages under them: a toast at the bottom names the fields until
 * the person corrects one, and the first one gets the focus.
 */
export function useWrongFields(given?: RefObject<HTMLFormElement | null>) {
  const { t } = useTranslation()
  const own = useRef<HTMLFormElement>(null)
  const form = given ?? own
  const [announced, setAnnounced] = useState<{ message: string } | null>(null)
  useEffect(() => {
    const element = form.current
    if (!announced || !element) return
    // After the messages are rendered: only then does the page mark the invalid fields.
    focusFirstWrong(element)
    // The toast may cover the button that sends the corrected form.
    const withdraw = () => toast.withdraw(announced.message)
    for (const kind of corrections) element.addEventListener(kind, withdraw, { once: true })
    return () => {
      for (const kind of corrections) element.removeEventListener(kind, withdraw)
    }
  }, [announced, form])
  const announce = (labels: string[]) => {
    if (labels.length === 0) return
    const fields = new Intl.ListFormat(readerLanguage(), { type: 'unit' }).format(new Set(labels))
    const message = fields === '' ? '' : t('Please check: {{fields}}', { fields })
    if (message !== '') toast.invalid(message)
    setAnnounced({ message })
  }
  return { form, announce }
}

function focusFirstWrong(form: HTMLFormElement): void {
  const wrong = form.querySelector<HTMLElement>('[aria-invalid="true"]')
  const field = wrong?.matches('input, textarea, select, [contenteditable]')
    ? wrong
    : wrong?.querySelector<HTMLElement>('input, textarea')
  field?.focus()
}
