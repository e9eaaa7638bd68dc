import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Refusal } from '../feedback/refusal.tsx'
import { Callout } from '../feedback/state.tsx'
import { FormSection } from '../layout/work-page.tsx'
import { useTranslation } from '../text/use-translation.ts'
import type { PostedForm } from './dialog-form.tsx'
import { SaveBar } from './save-bar.tsx'
import { useUnsavedGuard } from './use-unsaved-guard.ts'

type SavedFormProps = {
  title: string
  help: string
  form: PostedForm & {
    undo: () => void
    /** A file of the form is on its way. */
    isWaiting?: boolean | undefined
    /** Another user has saved meanwhile. */
    isLate?: boolean
    reload?: () => Promise<void>
  }
  /** What another user has saved meanwhile, for a form that merges it. */
  conflict?: ReactNode
  children: ReactNode
}

/** A settings form: saved as a whole, and guarded against leaving with unsaved edits. */
export function SavedForm({ title, help, form, conflict, children }: SavedFormProps) {
  const { t } = useTranslation()
  const { isWaiting = false } = form
  useUnsavedGuard({ isDirty: form.isDirty || isWaiting, staysAt: () => false })
  const late = form.isLate && (
    <>
      {form.refusal.map((message) => t(message)).join(' ')}{' '}
      <Button size="compact-xs" variant="default" onClick={form.reload}>
        {t('Load updates')}
      </Button>
    </>
  )
  return (
    <form ref={form.element} onSubmit={form.onSubmit} noValidate aria-label={title}>
      <FormSection title={title} help={help}>
        {children}
        {(conflict || late) && <Callout meaning="amber">{conflict || late}</Callout>}
        {!late && <Refusal messages={form.refusal} isUnknown={form.isUnknown} />}
        <SaveBar isDirty={form.isDirty} isSaving={form.isSubmitting} isWaiting={isWaiting} onUndo={form.undo} />
      </FormSection>
    </form>
  )
}
