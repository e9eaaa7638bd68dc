import { scopeLabels } from '@atrium/contract/access/scope-labels.ts'
import { type Scope, scopeNames } from '@atrium/contract/access/scopes.ts'
import { Checkbox, Radio } from '@mantine/core'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './desk-terms.module.css'

type SectionsPickerProps = {
  value: readonly Scope[]
  error: string | undefined
  onChange: (sections: Scope[]) => void
}

const single = scopeNames.filter((scope) => scope !== 'all')

/** What stays closed until the terms are accepted: the whole portal, or the chosen sections. */
export function SectionsPicker({ value, error, onChange }: SectionsPickerProps) {
  const { t } = useTranslation()
  const isAll = value.includes('all')
  return (
    <Radio.Group
      label={t('Closed until they are accepted')}
      error={error && t(error)}
      value={isAll ? 'all' : 'some'}
      onChange={(reach) => onChange(reach === 'all' ? ['all'] : [])}
    >
      <div className={parts.reach}>
        <Radio
          value="all"
          label={t(scopeLabels.all)}
          description={t('The terms cover every page. Members can read, accept or sign out, and nothing else.')}
        />
        <Radio
          value="some"
          label={t('Some sections')}
          description={t('The terms replace these pages; the rest of the portal stays open.')}
        />
        {!isAll && (
          <fieldset className={parts.sections}>
            <legend className={parts.hidden}>{t('Sections')}</legend>
            {single.map((scope) => (
              <Checkbox
                key={scope}
                size="xs"
                label={t(scopeLabels[scope])}
                checked={value.includes(scope)}
                onChange={(event) => {
                  const isChosen = event.currentTarget.checked
                  onChange(single.filter((each) => (each === scope ? isChosen : value.includes(each))))
                }}
              />
            ))}
          </fieldset>
        )}
      </div>
    </Radio.Group>
  )
}
