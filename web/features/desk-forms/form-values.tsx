import type { DeskForm, FormValues } from '@atrium/contract/forms/desk-calls.ts'
import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Checkbox } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { notice } from '../../ui/feedback/notice.ts'
import { Callout } from '../../ui/feedback/state.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { SaveBar } from '../../ui/forms/save-bar.tsx'
import { useUnsavedGuard } from '../../ui/forms/use-unsaved-guard.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { isAlike } from './form-difference.ts'
import parts from './forms.module.css'
import { useChangeForm } from './use-forms.ts'

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
  const saved = writtenOf(form)
  const [values, setValues] = useState(saved)
  const save = useChangeForm(form._id)
  const isDirty = !isAlike(values, saved)
  useUnsavedGuard({ isDirty })
  const wrong = save.error instanceof ApiError ? save.error.fieldErrors : {}
  const errorOf = (field: keyof Written) => wrong[field]?.map((line) => t(line)).join(' ')
  const change = (part: Partial<Written>) => setValues((before) => ({ ...before, ...part }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (save.isPending || values.name.trim() === '') return
    const { category, vendors, departments, ...rest } = values
    save.mutate(
      { ...rest, category: category.trim() || null, vendors: listOf(vendors), departments: listOf(departments) },
      {
        onSuccess: ({ form: fresh }) => {
          setValues(writtenOf(fresh))
          notice.done(t('Saved.'))
        },
      },
    )
  }
  return (
    <form className={parts.alone} onSubmit={submit} noValidate aria-label={t('Settings of the form')}>
      <fieldset disabled={!mayManage} style={{ display: 'contents' }}>
        <TextInput
          label={t('Name')}
          description={t('Staff and members read it.')}
          charsMax={limits.nameCharsMax}
          value={values.name}
          error={values.name.trim() === '' ? t(texts.fieldsMissing) : errorOf('name')}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <TextInput
          label={t('Category')}
          description={t('Sorts forms for staff.')}
          charsMax={limits.listWordCharsMax}
          value={values.category}
          error={errorOf('category')}
          onChange={(event) => change({ category: event.currentTarget.value })}
        />
        <Checkbox
          label={t('What is sent becomes a request')}
          checked={values.is_request}
          onChange={(event) => change({ is_request: event.currentTarget.checked })}
        />
        <Checkbox
          label={t('Offered in the portal by its own address')}
          checked={values.show_on !== null}
          onChange={(event) => change({ show_on: event.currentTarget.checked ? 'members-portal' : null })}
        />
        <TextInput
          label={t('Vendors')}
          description={t('A note for staff, separated by commas. It restricts nobody.')}
          value={values.vendors}
          error={errorOf('vendors')}
          onChange={(event) => change({ vendors: event.currentTarget.value })}
        />
        <TextInput
          label={t('Departments')}
          description={t('A note for staff, separated by commas. It restricts nobody.')}
          value={values.departments}
          error={errorOf('departments')}
          onChange={(event) => change({ departments: event.currentTarget.value })}
        />
      </fieldset>
      {save.error && Object.keys(wrong).length === 0 && <Callout meaning="red">{t(save.error.message)}</Callout>}
      {mayManage && <SaveBar isDirty={isDirty} isSaving={save.isPending} onUndo={() => setValues(saved)} />}
    </form>
  )
}
