import type { DeskForm, FormValues } from '@atrium/contract/forms/desk-calls.ts'
import { texts } from '@atrium/contract/texts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect, useState } from 'react'
import { mergeValues } from '../../forms/merge-values.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { useLostSave } from '../../forms/use-lost-save.ts'
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

const listsOf = (written: Written) => ({
  ...written,
  vendors: listOf(written.vendors),
  departments: listOf(written.departments),
})

/** My value where I changed it, theirs everywhere else, and in a list both. */
function merge(begun: Written, mine: Written, theirs: Written): Written {
  const { values } = mergeValues(listsOf(begun), listsOf(mine), listsOf(theirs))
  const { vendors, departments, ...rest } = values as ReturnType<typeof listsOf>
  return { ...rest, vendors: vendors.join(', '), departments: departments.join(', ') }
}

const isSame = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other)

const replaceable = ['name', 'category', 'show_on', 'is_request'] as const
export type Replaceable = (typeof replaceable)[number]

/**
 * Name and audience of the form, on top of the revision that they show. When a colleague changes it meanwhile, untouched fields
 * take the new values and changed ones stay; `replaced` names those where a save undoes the colleague's change.
 */
export function useFormValues(form: DeskForm) {
  const { t } = useTranslation()
  const save = useChangeForm(form._id)
  const queries = useQueryClient()
  const [seen, setSeen] = useState(form)
  const [replaced, setReplaced] = useState<Replaceable[] | null>(null)
  const lost = useLostSave<Written>()
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
    onRefused: (error, sent) => {
      lost.note(error, sent)
      return queries.invalidateQueries({ queryKey: formQuery(form._id).queryKey })
    },
    onDone: ({ form: fresh }) => {
      lost.take()
      setSeen(fresh)
      setReplaced(null)
      toast.done(t('Saved.'))
    },
    afterDone: 'anew',
  })
  // Changes that are made later begin with what the colleague has saved.
  if (replaced && !writing.isDirty) setReplaced(null)
  const isBehind = form.revision !== seen.revision && !writing.isSubmitting
  useLayoutEffect(() => {
    if (!isBehind) return
    setSeen(form)
    const theirs = writtenOf(form)
    const own = lost.take()
    const isOwn = own !== null && isSame(listsOf(theirs), listsOf(own))
    const begun = isOwn ? theirs : writtenOf(seen)
    const merged = merge(begun, writing.values, theirs)
    const isReplaced = (field: Replaceable) => theirs[field] !== begun[field] && theirs[field] !== merged[field]
    setReplaced(writing.isDirty && !isOwn ? replaceable.filter(isReplaced) : null)
    writing.rebase(theirs, (mine) => merge(begun, mine, theirs))
  })
  return { ...writing, replaced }
}
