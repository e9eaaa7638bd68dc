import { Button } from '@mantine/core'
import { EmptyState } from '../feedback/state.tsx'
import { useTranslation } from '../text/use-translation.ts'

/** A later page of a list with cursor pagination: its rows may have gone meanwhile. */
export const isLaterPage = ({ after, before }: { after?: unknown; before?: unknown }): boolean =>
  after !== undefined || before !== undefined

export function EmptiedPage({ onStart }: { onStart: () => void }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      drawing="list"
      title={t('This page is empty now')}
      text={t('The entries of this page have moved or changed.')}
      action={
        <Button variant="default" onClick={onStart}>
          {t('Go to the first page')}
        </Button>
      }
    />
  )
}
