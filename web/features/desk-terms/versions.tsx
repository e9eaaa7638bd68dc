import type { DeskTerms, TermsText } from '@atrium/contract/terms/desk-calls.ts'
import { useNavigate } from '@tanstack/react-router'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { Tag } from '../../ui/feedback/status-pill.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { Card } from '../../ui/layout/page.tsx'
import { VersionList } from '../../ui/lists/versions/version-list.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './desk-terms.module.css'
import { TermsPreview } from './terms-preview.tsx'
import type { OneTermsSearch } from './terms-search.ts'
import { VersionDifference } from './version-difference.tsx'

type VersionsProps = { terms: DeskTerms; search: OneTermsSearch }
type Shown = { value: string; text: TermsText; name: string }

const draftValue = 'draft'
const none = 'none'

/** All published versions, and the changes between them. */
export function Versions({ terms, search }: VersionsProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { versions } = terms
  if (versions.length === 0)
    return (
      <Card>
        <EmptyState
          drawing="list"
          title={t('Nothing has been published yet')}
          text={t('Each text that you publish is kept here word for word, so that you can show who accepted what.')}
        />
      </Card>
    )
  const published = versions.map(
    (text): Shown => ({ value: String(text.version), text, name: t('Version {{version}}', { version: text.version }) }),
  )
  const draft: Shown[] = terms.is_changed ? [{ value: draftValue, text: terms.draft, name: t('Draft') }] : []
  const all = [...draft, ...published]
  const asked = search.draft ? draftValue : String(search.version ?? '')
  const shown = all.find(({ value }) => value === asked) ?? all[0]
  if (!shown) return null
  const before = all[all.indexOf(shown) + 1]
  const other = search.with === none ? undefined : (all.find(({ value }) => value === String(search.with)) ?? before)
  const go = (value: string, compared?: string) =>
    navigate({
      to: '/terms/$termsId/{-$part}',
      params: { termsId: terms._id, part: 'versions' },
      search: {
        ...(value === draftValue ? { draft: true as const } : { version: Number(value) }),
        ...(compared && { with: compared === none ? none : Number(compared) }),
      },
      replace: true,
    })
  return (
    <VersionList
      versions={all.map(({ value, name }) => ({
        value,
        facts: <VersionFacts terms={terms} value={value} name={name} />,
      }))}
      chosen={shown.value}
      onChoose={go}
    >
      <div data-stack="lg" data-shrink>
        <Select
          size="xs"
          label={t('{{name}} compared with', { name: shown.name })}
          allowDeselect={false}
          className={parts.compared ?? ''}
          data={[
            { value: none, label: t('None: show the text as members read it') },
            ...published
              .filter(({ value }) => value !== shown.value)
              .map(({ value, name }) => ({ value, label: name })),
          ]}
          value={other?.value ?? none}
          onChange={(value) => go(shown.value, value ?? none)}
        />
        {other ? (
          <VersionDifference before={other.text} after={shown.text} />
        ) : (
          <TermsPreview key={shown.value} text={shown.text} title={shown.name} />
        )}
      </div>
    </VersionList>
  )
}

function VersionFacts({ terms, value, name }: { terms: DeskTerms; value: string; name: string }) {
  const { t } = useTranslation()
  const version = terms.versions.find((each) => String(each.version) === value)
  if (!version) return <span className={parts.versionName}>{name}</span>
  const isShown = terms.state === 'published' && version.version === terms.version
  return (
    <>
      <span className={parts.versionName}>
        {name} {isShown && <Tag label={t('Current')} isStrong />}
      </span>
      <span className={parts.quiet}>
        <Moment at={version.published_at} /> {version.published_by && <bdi>{version.published_by}</bdi>}
      </span>
      <span className={parts.quiet}>
        {version.asks_again ? t('Everybody was asked') : t('Earlier acceptances remained valid')} {'·'}{' '}
        {t('accepted by {{count}}', { count: version.accepted })}
      </span>
    </>
  )
}
