import { limits } from '@atrium/contract/limits.ts'
import type { TaxonomyEntity } from '@atrium/contract/workspace-settings/taxonomies.ts'
import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { EntryList } from './entry-list.tsx'
import { SectionForm } from './section-form.tsx'
import { useSection } from './use-workspace.ts'

const entityLabels: Record<TaxonomyEntity, string> = {
  ticket: 'Ticket topics',
  ticket_priority: 'Ticket priorities',
  request: 'Request groups',
  request_status: 'Request statuses',
  document: 'Document types',
  bank_account: 'Bank account types',
}

/** The lists that members choose from, one at a time. */
export function TaxonomiesSection() {
  const { t } = useTranslation()
  const form = useSection('taxonomies')
  const { taxonomies } = form.values
  const [chosen, setChosen] = useState<TaxonomyEntity>('ticket')
  const list = taxonomies.find(({ entity }) => entity === chosen)
  const error = form.errorOf('taxonomies')
  return (
    <SectionForm
      title={t('Lists')}
      help={t(
        'What members choose from, in this order. Renaming an entry does not affect existing records. Archived entries are not offered.',
      )}
      form={form}
    >
      <NativeSelect
        label={t('List')}
        value={chosen}
        data={taxonomies.map(({ entity }) => ({ value: entity, label: t(entityLabels[entity]) }))}
        onChange={(event) => setChosen(event.currentTarget.value as TaxonomyEntity)}
      />
      {list && (
        <EntryList
          key={chosen}
          canRename
          label={t(entityLabels[chosen])}
          charsMax={limits.listWordCharsMax}
          entries={list.entries}
          error={error}
          onChange={(entries) =>
            form.change({
              taxonomies: taxonomies.map((each) => (each.entity === chosen ? { ...each, entries } : each)),
            })
          }
        />
      )}
    </SectionForm>
  )
}
