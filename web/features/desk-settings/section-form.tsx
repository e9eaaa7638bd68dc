import type { ReactNode } from 'react'
import { SavedForm } from '../../ui/forms/saved-form.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { fieldLabels } from './field-labels.ts'
import type { useSection } from './use-workspace.ts'

type Form = ReturnType<typeof useSection>
type SectionFormProps = {
  title: string
  help: string
  form: Pick<
    Form,
    'element' | 'onSubmit' | 'refusal' | 'isUnknown' | 'isSubmitting' | 'isDirty' | 'undo' | 'conflict' | 'isProven'
  >
  children: ReactNode
}

/** One settings section, saved as a whole and guarded against leaving with unsaved changes. */
export function SectionForm({ form, help, ...section }: SectionFormProps) {
  const { t } = useTranslation()
  const { conflict, isProven } = form
  return (
    <SavedForm
      {...section}
      help={isProven ? `${help} ${t('Changes here ask you to confirm that it is you.')}` : help}
      form={form}
      conflict={
        conflict &&
        (conflict.fields.length === 0 ? (
          t('Your earlier save has arrived. Save again to keep what you have changed since.')
        ) : (
          <>
            {t(
              '{{who}} has changed this in the meantime: {{fields}}. Fields that you did not change show the new values.',
              {
                who: conflict.by ?? t('Somebody else'),
                fields: conflict.fields.map((field) => t(fieldLabels[field] ?? field)).join(', '),
              },
            )}{' '}
            {t('Save again to keep the rest as you have it.')}
          </>
        ))
      }
    />
  )
}
