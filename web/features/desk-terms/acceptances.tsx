import type { DeskTerms } from '@atrium/contract/terms/desk-calls.ts'
import { useMemo } from 'react'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { TextLink } from '../../ui/layout/link-button.tsx'
import { DataList } from '../../ui/lists/data-list.tsx'
import type { Column } from '../../ui/lists/data-table.tsx'
import { FilterChoice } from '../../ui/lists/filter-bar.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './desk-terms.module.css'
import { type Acceptance, acceptancesOf } from './use-terms.ts'

/** The acceptances: member, version, time and origin. */
export function Acceptances({ terms }: { terms: DeskTerms }) {
  const { t } = useTranslation()
  const columns = useColumns()
  const source = useMemo(() => acceptancesOf(terms._id), [terms._id])
  return (
    <DataList
      source={source}
      to="/terms/$termsId/{-$part}"
      params={{ termsId: terms._id, part: 'accepted' }}
      label={t('Who accepted')}
      isPart
      controls={{
        q: { label: 'Search members', placeholder: 'Name, email or customer number' },
        version: ({ search, change }) => (
          <FilterChoice
            label={t('Version')}
            all={t('Any version')}
            data={terms.versions.map(({ version }) => ({
              value: String(version),
              label: t('Version {{version}}', { version }),
            }))}
            value={search.version}
            onChoose={(version) => change({ version })}
          />
        ),
      }}
      columns={columns}
      empty={
        <EmptyState
          drawing="list"
          title={t('Nobody has accepted these terms yet')}
          text={t('Acceptances are listed here with version, time and address.')}
        />
      }
    />
  )
}

function useColumns(): Column<Acceptance>[] {
  const { t } = useTranslation()
  return [
    {
      key: 'member',
      header: t('Member'),
      onPhone: 'top',
      skeletonWidth: 160,
      render: ({ member }) => (
        <span className={parts.person}>
          <TextLink to="/members/{-$memberId}" params={{ memberId: member._id }} inherit>
            <bdi>{member.name}</bdi>
          </TextLink>
          <span className={parts.quiet}>{t('No. {{number}}', { number: member.customer_number })}</span>
        </span>
      ),
    },
    { key: 'version', header: t('Version'), align: 'right', skeletonWidth: 20, render: ({ version }) => version },
    { key: 'at', header: t('When'), skeletonWidth: 120, render: ({ accepted_at }) => <Moment at={accepted_at} /> },
    {
      key: 'address',
      header: t('Address'),
      skeletonWidth: 90,
      render: ({ address }) => address ?? t('Unknown address'),
    },
    { key: 'device', header: t('Device'), skeletonWidth: 120, render: ({ device }) => device },
  ]
}
