import { limits } from '@atrium/contract/limits.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { EntryList } from './entry-list.tsx'
import { entriesOfNames, namesOf } from './entry-moves.ts'
import { SectionForm } from './section-form.tsx'
import { useSection, useWorkspace } from './use-workspace.ts'

export function ListsSection() {
  const { t } = useTranslation()
  const form = useSection('lists')
  return (
    <SectionForm
      title={t('Vendors and departments')}
      help={t(
        'The names under which you trade, and whom members can write to. Saved entries are archived, not deleted.',
      )}
      form={form}
    >
      <NamesField label={t('Vendors')} field="vendors" form={form} />
      <NamesField label={t('Departments')} field="departments" form={form} />
    </SectionForm>
  )
}

type NamesFieldProps = {
  label: string
  field: 'vendors' | 'departments'
  form: ReturnType<typeof useSection<'lists'>>
}

function NamesField({ label, field, form }: NamesFieldProps) {
  const saved = useWorkspace().sections.lists
  const { values, change, errorOf } = form
  const archivedField = `archived_${field}` as const
  const error = errorOf(field) ?? errorOf(archivedField)
  return (
    <EntryList
      label={label}
      charsMax={limits.nameCharsMax}
      entries={entriesOfNames(values[field], values[archivedField], [...saved[field], ...saved[archivedField]])}
      error={error}
      onChange={(entries) => {
        const { names, archived } = namesOf(entries)
        change({ [field]: names, [archivedField]: archived })
      }}
    />
  )
}
