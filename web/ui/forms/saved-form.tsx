import { Button } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { notice } from '../feedback/notice.ts'
import { Callout } from '../feedback/state.tsx'
import { FormSection } from '../layout/work-page.tsx'
import { useTranslation } from '../text/use-translation.ts'
import { SaveBar } from './save-bar.tsx'
import { useUnsavedGuard } from './use-unsaved-guard.ts'

type SavedFormProps = {
  title: string
  help: string
  form: {
    isDirty: boolean
    save: {
      isPending: boolean
      error: Error | null
      mutate: (nothing: undefined, then: { onSuccess: () => void }) => void
    }
    undo: () => void
    reload: () => Promise<void>
    /** Another user has saved meanwhile. */
    isLate: boolean
    hasFieldErrors: boolean
  }
  children: ReactNode
}

/** A settings form: saved as a whole, and guarded against leaving with unsaved edits. */
export function SavedForm({ title, help, form, children }: SavedFormProps) {
  const { t } = useTranslation()
  const { isDirty, save, undo, reload, isLate, hasFieldErrors } = form
  useUnsavedGuard({ isDirty, staysAt: () => false })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!save.isPending) save.mutate(undefined, { onSuccess: () => notice.done(t('Saved.')) })
  }
  return (
    <form onSubmit={submit} noValidate aria-label={title}>
      <FormSection title={title} help={help}>
        {save.error && !hasFieldErrors && (
          <Callout meaning={isLate ? 'amber' : 'red'}>
            {t(save.error.message)}{' '}
            {isLate && (
              <Button size="compact-xs" variant="default" onClick={() => reload()}>
                {t('Load updates')}
              </Button>
            )}
          </Callout>
        )}
        {children}
        <SaveBar isDirty={isDirty} isSaving={save.isPending} onUndo={undo} />
      </FormSection>
    </form>
  )
}
