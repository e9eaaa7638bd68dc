import type { DeskForm } from '@atrium/contract/forms/desk-calls.ts'
import { limits } from '@atrium/contract/limits.ts'
import { Checkbox } from '@mantine/core'
import { Refusal } from '../../ui/feedback/refusal.tsx'
import { Callout } from '../../ui/feedback/state.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { SaveBar } from '../../ui/forms/save-bar.tsx'
import { useUnsavedGuard } from '../../ui/forms/use-unsaved-guard.ts'
import { listInWords } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './forms.module.css'
import { useFormValues, valueLabels } from './use-form-values.ts'

/** Name and audience of the form; saved separately from its definition, without a new version. */
export function FormValuesPart({ form, mayManage }: { form: DeskForm; mayManage: boolean }) {
  const { t } = useTranslation()
  const writing = useFormValues(form)
  const { values, change, errorOf, isDirty } = writing
  useUnsavedGuard({ isDirty })
  return (
    <form
      ref={writing.element}
      className={parts.alone}
      onSubmit={writing.onSubmit}
      noValidate
      aria-label={t('Form settings')}
    >
      <fieldset disabled={!mayManage} style={{ display: 'contents' }}>
        <TextInput
          label={t(valueLabels.name)}
          description={t('Shown to staff and members.')}
          charsMax={limits.nameCharsMax}
          value={values.name}
          error={errorOf('name')}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <TextInput
          label={t(valueLabels.category)}
          description={t('Shown to staff beside the name.')}
          charsMax={limits.listWordCharsMax}
          value={values.category}
          error={errorOf('category')}
          onChange={(event) => change({ category: event.currentTarget.value })}
        />
        <Checkbox
          label={t(valueLabels.is_request)}
          checked={values.is_request}
          onChange={(event) => change({ is_request: event.currentTarget.checked })}
        />
        <Checkbox
          label={t(valueLabels.show_on)}
          checked={values.show_on !== null}
          onChange={(event) => change({ show_on: event.currentTarget.checked ? 'members-portal' : null })}
        />
        <TextInput
          label={t(valueLabels.vendors)}
          description={t('For staff only, separated by commas. It does not restrict access.')}
          value={values.vendors}
          error={errorOf('vendors')}
          onChange={(event) => change({ vendors: event.currentTarget.value })}
        />
        <TextInput
          label={t(valueLabels.departments)}
          description={t('For staff only, separated by commas. It does not restrict access.')}
          value={values.departments}
          error={errorOf('departments')}
          onChange={(event) => change({ departments: event.currentTarget.value })}
        />
      </fieldset>
      {writing.replaced && (
        <Callout meaning="amber">
          {t('This form has changed in the meantime. Your changes are kept on top of it.')}{' '}
          {writing.replaced.length > 0 &&
            t('A save replaces the newer values of: {{fields}}.', {
              fields: listInWords(writing.replaced.map((field) => t(valueLabels[field]))),
            })}
        </Callout>
      )}
      <Refusal messages={writing.refusal} isUnknown={writing.isUnknown} />
      {mayManage && <SaveBar isDirty={isDirty} isSaving={writing.isSubmitting} onUndo={writing.undo} />}
    </form>
  )
}
