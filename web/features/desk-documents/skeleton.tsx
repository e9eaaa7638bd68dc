import { Skeleton } from '@mantine/core'
import { useTranslation } from '../../ui/text/use-translation.ts'

/** Placeholder in the shape of the page. */
export function LoadingSkeleton() {
  const { t } = useTranslation()
  return (
    <div data-stack="md" role="status" aria-label={t('Loading')}>
      <Skeleton height={180} radius="md" />
      <Skeleton height={120} radius="md" />
    </div>
  )
}
