import { Button } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { notice } from '../../ui/notice.ts'
import { SaveBar } from '../../ui/save-bar.tsx'
import { Callout } from '../../ui/state.tsx'
import { useUnsavedGuard } from '../../ui/use-unsaved-guard.ts'
import { FormSection } from '../../ui/work-page.tsx'
import type { usePlatformForm } from './use-platforms.ts'

type PlatformFormProps = {
  title: string
  help: string
  form: Pick<
    ReturnType<typeof usePlatformForm<unknown>>,
    'isDirty' | 'save' | 'undo' | 'reload' | 'isLate' | 'hasFieldErrors'
  >
  children: ReactNode
}

/** One part of a platform: saved as a whole, and not left by accident while it is not. */
export function PlatformForm({ title, help, form, children }: PlatformFormProps) {
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
                {t('Load what is new')}
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
