import type { DeskForm, FormValues } from '@atrium/contract/forms/desk-calls.ts'
import { texts } from '@atrium/contract/texts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCallForm } from '../../forms/use-call-form.ts'
import { useNewerValues } from '../../forms/use-newer-values.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
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

export const valueLabels: Record<keyof Written, string> = {
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

/** Name and audience of the form, on top of the revision that they show. */
export function useFormValues(form: DeskForm) {
  const { t } = useTranslation()
  const save = useChangeForm(form._id)
  const queries = useQueryClient()
  const [seen, setSeen] = useState(form.revision)
  const writing = useCallForm({
    start: writtenOf(form),
    labels: valueLabels,
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
    // A colleague may have changed it; without edits, it shows the change.
    onRefused: () => queries.invalidateQueries({ queryKey: formQuery(form._id).queryKey }),
    onDone: ({ form: fresh }) => {
      setSeen(fresh.revision)
      toast.done(t('Saved.'))
    },
    afterDone: 'anew',
  })
  useNewerValues(writing, form.revision !== seen, () => {
    setSeen(form.revision)
    writing.begin(writtenOf(form))
  })
  return writing
}
