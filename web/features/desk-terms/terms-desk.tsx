import type { DeskTerms } from '@atrium/contract/terms/desk-calls.ts'
import { Skeleton } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { RecordError } from '../../ui/feedback/record-error.tsx'
import { LinkButton } from '../../ui/layout/link-button.tsx'
import { type Tab, Tabs } from '../../ui/lists/tabs.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { Acceptances } from './acceptances.tsx'
import parts from './desk-terms.module.css'
import { TermsEditor } from './terms-editor.tsx'
import { TermsHead } from './terms-head.tsx'
import { TermsPreview } from './terms-preview.tsx'
import { type OneTermsSearch, readOneTermsSearch } from './terms-search.ts'
import { termsOneQuery } from './use-terms.ts'
import { Versions } from './versions.tsx'

type Part = 'text' | 'versions' | 'accepted'

/** One set of terms: the draft, the published versions, and the acceptances. */
export function TermsDesk({ mayManage }: { mayManage: boolean }) {
  const { t } = useTranslation()
  const { termsId = '', part = 'text' } = useParams({ strict: false }) as { termsId?: string; part?: string }
  const search = readOneTermsSearch(useSearch({ strict: false }))
  const terms = useQuery(termsOneQuery(termsId))
  const shown: Part = part === 'versions' || part === 'accepted' ? part : 'text'
  return (
    <div className={parts.scroll}>
      <div className={parts.page}>
        <Back />
        {terms.data ? (
          <>
            <TermsHead terms={terms.data} mayManage={mayManage} />
            <Tabs
              label={t('About these terms')}
              tabs={tabsOf(terms.data)}
              chosen={shown}
              placeOf={(name) => ({
                to: '/terms/$termsId/{-$part}',
                params: { termsId: terms.data._id, part: name === 'text' ? undefined : name },
                search: {},
              })}
            />
            <Shown key={terms.data._id} terms={terms.data} shown={shown} search={search} mayManage={mayManage} />
          </>
        ) : terms.error ? (
          <RecordError
            error={terms.error}
            notFound={t('Terms not found')}
            holds={t('Nothing was changed.')}
            onRetry={() => terms.refetch()}
          />
        ) : (
          <LoadingSkeleton />
        )}
      </div>
    </div>
  )
}

/** Terms that do not exist yet; the first save creates them. */
export function NewTerms() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <div className={parts.scroll}>
      <div className={parts.page}>
        <Back />
        <h2 className={parts.title}>{t('New terms')}</h2>
        <TermsEditor
          terms={null}
          onCreated={(termsId) =>
            navigate({
              to: '/terms/$termsId/{-$part}',
              params: { termsId, part: undefined },
              search: {},
              replace: true,
              ignoreBlocker: true,
            })
          }
        />
      </div>
    </div>
  )
}

function Back() {
  const { t } = useTranslation()
  return (
    <div className={parts.back}>
      <LinkButton
        to="/terms"
        search={{}}
        variant="subtle"
        size="xs"
        leftSection={<IconArrowLeft size={16} stroke={1.5} aria-hidden />}
      >
        {t('All terms')}
      </LinkButton>
    </div>
  )
}

function tabsOf({ versions }: DeskTerms): Tab<Part>[] {
  return [
    { name: 'text', label: 'Text' },
    { name: 'versions', label: 'Versions', count: versions.length },
    { name: 'accepted', label: 'Who accepted', count: versions.reduce((sum, { accepted }) => sum + accepted, 0) },
  ]
}

type ShownProps = { terms: DeskTerms; shown: Part; search: OneTermsSearch; mayManage: boolean }

function Shown({ terms, shown, search, mayManage }: ShownProps) {
  const { t } = useTranslation()
  if (shown === 'versions') return <Versions terms={terms} search={search} />
  if (shown === 'accepted') return <Acceptances terms={terms} />
  if (mayManage) return <TermsEditor terms={terms} />
  return (
    <div className={parts.alone}>
      <TermsPreview text={terms.draft} title={t('As members see it')} />
    </div>
  )
}

function LoadingSkeleton() {
  const { t } = useTranslation()
  return (
    <div data-stack="lg" role="status" aria-label={t('Loading')}>
      <Skeleton height={28} width={280} />
      <Skeleton height={36} width={320} />
      <div data-columns="halves">
        <Skeleton height={480} radius="lg" />
        <Skeleton height={480} radius="lg" />
      </div>
    </div>
  )
}
