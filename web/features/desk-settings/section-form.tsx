import type { FormEvent, ReactNode } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { notice } from '../../ui/feedback/notice.ts'
import { Callout } from '../../ui/feedback/state.tsx'
import { SaveBar } from '../../ui/forms/save-bar.tsx'
import { useUnsavedGuard } from '../../ui/forms/use-unsaved-guard.ts'
import { FormSection } from '../../ui/layout/work-page.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { fieldLabels } from './field-labels.ts'
import type { useSection } from './use-workspace.ts'

type SectionFormProps = {
  title: string
  help: string
  form: Pick<ReturnType<typeof useSection>, 'isDirty' | 'save' | 'conflict' | 'undo'>
  children: ReactNode
}

/** One settings section, saved as a whole and guarded against leaving with unsaved changes. */
export function SectionForm({ title, help, form, children }: SectionFormProps) {
  const { t } = useTranslation()
  const { isDirty, save, conflict, undo } = form
  useUnsavedGuard({ isDirty, staysAt: () => false })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!save.isPending)
      save.mutate(undefined, { onSuccess: () => notice.done(t('Saved. It takes effect now, for everybody.')) })
  }
  const isSaidElsewhere =
    save.error instanceof ApiError && (save.error.code === 'conflict' || Object.keys(save.error.fieldErrors).length > 0)
  return (
    <form onSubmit={submit} noValidate aria-label={title}>
      <FormSection title={title} help={help}>
        {conflict && (
          <Callout meaning="amber">
            {t(
              '{{who}} has changed this in the meantime: {{fields}}. Fields that you did not change show the new values.',
              {
                who: conflict.by ?? t('Somebody else'),
                fields: conflict.fields.map((field) => t(fieldLabels[field] ?? field)).join(', '),
              },
            )}{' '}
            {t('Save again to keep the rest as you have it.')}
          </Callout>
        )}
        {save.error && !isSaidElsewhere && <Callout meaning="red">{t(save.error.message)}</Callout>}
        {children}
        <SaveBar isDirty={isDirty} isSaving={save.isPending} onUndo={undo} />
      </FormSection>
    </form>
  )
}
