import type { DeskForm, FormValues } from '@atrium/contract/forms/desk-calls.ts'
import { texts } from '@atrium/contract/texts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect, useState } from 'react'
import { mergeValues } from '../../forms/merge-values.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
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

/**
 * Name and audience of the form, on top of the revision that they show. When a colleague changes it meanwhile, untouched fields
 * take the new values and changed ones stay, so that a save undoes nothing that was not shown.
 */
export function useFormValues(form: DeskForm) {
  const { t } = useTranslation()
  const save = useChangeForm(form._id)
  const queries = useQueryClient()
  const [seen, setSeen] = useState(form)
  const [isChangedElsewhere, setChangedElsewhere] = useState(false)
  const writing = useCallForm({
    start: writtenOf(form),
    labels: valueLabels,
    check: ({ name }) => (name.trim() === '' ? { name: [texts.fieldsMissing] } : {}),
    send: ({ category, vendors, departments, ...rest }) =>
      save.mutateAsync({
        ...rest,
        seen: seen.revision,
        category: category.trim() || null,
        vendors: listOf(vendors),
        departments: listOf(departments),
      }),
    startAfter: (_sent, { form: fresh }) => writtenOf(fresh),
    // A colleague may have changed it.
    onRefused: () => queries.invalidateQueries({ queryKey: formQuery(form._id).queryKey }),
    onDone: ({ form: fresh }) => {
      setSeen(fresh)
      setChangedElsewhere(false)
      toast.done(t('Saved.'))
    },
    afterDone: 'anew',
  })
  // Changes that are made later begin with what the colleague has saved.
  if (isChangedElsewhere && !writing.isDirty) setChangedElsewhere(false)
  const isBehind = form.revision !== seen.revision && !writing.isSubmitting
  useLayoutEffect(() => {
    if (!isBehind) return
    setSeen(form)
    setChangedElsewhere(writing.isDirty)
    const [begun, theirs] = [writtenOf(seen), writtenOf(form)]
    writing.rebase(theirs, (mine) => mergeValues(begun, mine, theirs).values as Written)
  })
  return { ...writing, isChangedElsewhere }
}
