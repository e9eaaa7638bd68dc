import type { FileCategory } from '@atrium/contract/documents/calls.ts'
import { documentTexts } from '@atrium/contract/documents/texts.ts'
import { limits } from '@atrium/contract/limits.ts'
import { Skeleton, VisuallyHidden } from '@mantine/core'
import { AddDialog } from '../../features/documents/add-dialog.tsx'
import { CategorySection } from '../../features/documents/category-section.tsx'
import { IdentityCard } from '../../features/documents/identity-card.tsx'
import { ProgressCard } from '../../features/documents/progress-card.tsx'
import { useAdding } from '../../features/documents/use-adding.ts'
import { useCountdown } from '../../features/documents/use-countdown.ts'
import { type MemberDocument, useDocuments, useFileCategories } from '../../features/documents/use-documents.ts'
import { useSession } from '../../features/session/session.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Callout, EmptyState } from '../../ui/feedback/state.tsx'
import { Card, Page } from '../../ui/layout/page.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { NextStep } from '../next-steps-card.tsx'

export function DocumentsPage() {
  const { t } = useTranslation()
  const { member, settings } = useSession()
  const offered = useFileCategories(member.kyc_category_id)
  const documentsQuery = useDocuments()
  const countdown = useCountdown(limits.uploadDisabledMs)
  const isPaused = countdown.seconds > 0
  const error = (!documentsQuery.data && documentsQuery.error) || (!offered.data && offered.error)
  const sections = sectionsOf(offered.data ?? [], documentsQuery.data?.documents ?? [])
  const { adding, add, addFor, close } = useAdding(sections.map(({ category }) => category))
  return (
    <Page title={t('Documents')} help={t('Documents that verify your identity. Only our compliance team sees them.')}>
      {error ? (
        <Card>
          <ErrorState
            error={error}
            onRetry={() => {
              void documentsQuery.refetch()
              void offered.refetch()
            }}
          />
        </Card>
      ) : !documentsQuery.data || !offered.data ? (
        <LoadingSkeleton />
      ) : (
        <>
          <ProgressCard progress={documentsQuery.data.documents_progress} isPaused={isPaused} onAdd={addFor} />
          <IdentityCard />
          <NextStep after="documents" />
          {isPaused && (
            <Callout meaning="grey">
              {/* Announced once: screen readers need not announce every second. */}
              <span aria-hidden>{t('You can add another file in {{seconds}} s.', { seconds: countdown.seconds })}</span>
              <VisuallyHidden>
                {t('You can add another file in {{seconds}} s.', { seconds: limits.uploadDisabledMs / 1_000 })}
              </VisuallyHidden>
            </Callout>
          )}
          {sections.length === 0 && (
            <Card>
              <EmptyState drawing="list" title={t(documentTexts.none)} />
            </Card>
          )}
          {sections.map(({ category, documents, isOffered }) => (
            <CategorySection
              key={category._id}
              category={category}
              documents={documents}
              isPaused={isPaused}
              zone={settings.time_zone}
              onAdd={isOffered ? () => add(category) : undefined}
            />
          ))}
        </>
      )}
      <AddDialog adding={adding} onClose={close} onAdded={countdown.start} />
    </Page>
  )
}

type Shown = { category: FileCategory; documents: MemberDocument[]; isOffered: boolean }

/** The offered categories, then those that are no longer offered but have KYC documents. */
function sectionsOf(offered: FileCategory[], documents: MemberDocument[]): Shown[] {
  const of = (id: string) => documents.filter((document) => document.category === id)
  const isOffered = (id: string) => offered.some(({ _id }) => _id === id)
  const gone = new Map(
    documents
      .filter(({ category }) => !isOffered(category))
      .map(({ file_category_object: category }) => [category._id, category]),
  )
  return [
    ...offered.map((category) => ({ category, documents: of(category._id), isOffered: true })),
    ...[...gone.values()].map((category) => ({ category, documents: of(category._id), isOffered: false })),
  ]
}

function LoadingSkeleton() {
  const { t } = useTranslation()
  return (
    <div role="status" aria-label={t('Loading')}>
      <Skeleton height={140} radius="lg" mb={24} />
      <Skeleton height={120} radius="lg" mb={24} />
      <Skeleton height={120} radius="lg" />
    </div>
  )
}
