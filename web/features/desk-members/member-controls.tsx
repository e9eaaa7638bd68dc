import { identityLabels, memberLabels } from '../../ui/feedback/identity-labels.ts'
import { DateInput } from '../../ui/fields/date-input.tsx'
import type { ListControls, ListSet } from '../../ui/lists/list-bar.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './member-controls.module.css'
import { accountLabels, orderLabels, typeLabels } from './member-labels.ts'
import { SalesPersonSelect } from './sales-person-select.tsx'
import type { MembersAnswer, members } from './use-members.ts'

type Set = ListSet<typeof members.list>

export const memberControls: ListControls<typeof members.list, MembersAnswer> = {
  q: { label: 'Search members', placeholder: 'Name, email, customer number or login' },
  status: { label: 'Status', all: 'Any status', labels: memberLabels },
  documents: { label: 'Documents', all: 'Any documents', labels: identityLabels },
  accounts: { label: 'Accounts', all: 'Any accounts', labels: accountLabels },
  type: { label: 'Type', all: 'Any type', labels: typeLabels },
  referrer: (set) => <Referrer {...set} />,
  from: (set) => <JoinedBetween {...set} />,
  order: { label: 'Sort by', labels: orderLabels },
}

function Referrer({ search, change }: Set) {
  const { t } = useTranslation()
  return (
    <SalesPersonSelect
      size="xs"
      aria-label={t('Referred by')}
      placeholder={t('Any referrer')}
      value={search.referrer ?? null}
      onChange={(referrer) => change({ referrer })}
    />
  )
}

function JoinedBetween({ search, change }: Set) {
  const { t } = useTranslation()
  const { from = '', to = '' } = search
  return (
    <div className={parts.days}>
      {(['from', 'to'] as const).map((name) => (
        <DateInput
          key={name}
          size="xs"
          aria-label={name === 'from' ? t('Joined from') : t('Joined until')}
          placeholder={name === 'from' ? t('From') : t('Until')}
          value={search[name] ?? ''}
          span={{ from, to, onSpan: change }}
          onChange={(day) => change({ [name]: day })}
        />
      ))}
    </div>
  )
}
