import { texts } from '@atrium/contract/texts.ts'
import { Button } from '@mantine/core'
import { EmptyState } from '../feedback/state.tsx'
import { useTranslation } from '../text/use-translation.ts'

/** Shown when the filters match no rows, with a button to clear them. */
export function NoMatches({ onClear, text }: { onClear: () => void; text?: string | undefined }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      drawing="search"
      title={t(texts.noResults)}
      text={t(text ?? 'Nothing matches these filters.')}
      action={
        <Button variant="default" onClick={onClear}>
          {t('Clear filters')}
        </Button>
      }
    />
  )
}
