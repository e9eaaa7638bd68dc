import type { DeskForm, FormValues } from '@atrium/contract/forms/desk-calls.ts'
import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Checkbox } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCallForm } from '../../forms/use-call-form.ts'
import { Refusal } from '../../ui/feedback/refusal.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { SaveBar } from '../../ui/forms/save-bar.tsx'
import { useUnsavedGuard } from '../../ui/forms/use-unsaved-guard.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './forms.module.css'
import { formQuery, useChangeForm } from './use-forms.ts'

type Written = Omit<FormValues, 'vendors' | 'departments' | 'category'> &
  Record<'vendors' | 'departments' | 'category', string>

const writtenOf = ({ name, show_on, is_request, category, vendors, departments }: DeskForm): Written => ({
  name,
  show_on,
  is_request,
  category: category ?? '',
  vendors: vendors.join(', '),
  departments: departments.join(', '),
})

const labels: Record<keyof Written, string> = {
  name: 'Name',
  category: 'Category',
  is_request: 'Submissions become requests',
  show_on: 'Available in the portal at its own address',
  vendors: 'Vendors',
  departments: 'Departments',
}

const listOf = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
  ),
]

/** Name and audience of the form; saved separately from its definition, without a new version. */
export function FormValuesPart({ form, mayManage }: { form: DeskForm; mayManage: boolean }) {
  const { t } = useTranslation()
  const save = useChangeForm(form._id)
  const queries = useQueryClient()
  const [seen, setSeen] = useState(form.revision)
  const writing = useCallForm({
    start: writtenOf(form),
    labels,
    check: ({ name }) => (name.trim() === '' ? { name: [texts.fieldsMissing] } : {}),
    send: ({ category, vendors, departments, ...rest }) =>
      save.mutateAsync({
        ...rest,
        seen,
        category: category.trim() || null,
        vendors: listOf(vendors),
        departments: listOf(departments),
      }),
    startAfter: (_sent, { form: fresh }) => writtenOf(fresh),
    // A colleague may have changed it; opened again, it shows the change.
    onRefused: () => queries.invalidateQueries({ queryKey: formQuery(form._id).queryKey }),
    onDone: ({ form: fresh }) => {
      setSeen(fresh.revision)
      toast.done(t('Saved.'))
    },
    afterDone: 'anew',
  })
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
          label={t(labels.name)}
          description={t('Shown to staff and members.')}
          charsMax={limits.nameCharsMax}
          value={values.name}
          error={errorOf('name')}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <TextInput
          label={t(labels.category)}
          description={t('Shown to staff beside the name.')}
          charsMax={limits.listWordCharsMax}
          value={values.category}
          error={errorOf('category')}
          onChange={(event) => change({ category: event.currentTarget.value })}
        />
        <Checkbox
          label={t(labels.is_request)}
          checked={values.is_request}
          onChange={(event) => change({ is_request: event.currentTarget.checked })}
        />
        <Checkbox
          label={t(labels.show_on)}
          checked={values.show_on !== null}
          onChange={(event) => change({ show_on: event.currentTarget.checked ? 'members-portal' : null })}
        />
        <TextInput
          label={t(labels.vendors)}
          description={t('For staff only, separated by commas. It does not restrict access.')}
          value={values.vendors}
          error={errorOf('vendors')}
          onChange={(event) => change({ vendors: event.currentTarget.value })}
        />
        <TextInput
          label={t(labels.departments)}
          description={t('For staff only, separated by commas. It does not restrict access.')}
          value={values.departments}
          error={errorOf('departments')}
          onChange={(event) => change({ departments: event.currentTarget.value })}
        />
      </fieldset>
      <Refusal messages={writing.refusal} isUnknown={writing.isUnknown} />
      {mayManage && <SaveBar isDirty={isDirty} isSaving={writing.isSubmitting} onUndo={writing.undo} />}
    </form>
  )
}
