import { Skeleton } from '@mantine/core'
import shared from '../../ui/layout/work-detail.module.css'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './deposit-detail.module.css'

const lines = Array.from({ length: 7 }, (_, index) => `line-${index}`)

/** Placeholder in the shape of the loaded detail. */
export function DetailSkeleton() {
  const { t } = useTranslation()
  return (
    <div className={shared.detail} role="status" aria-label={t('Loading')}>
      <div data-group="xl" data-lines="md" data-align="start" data-justify="between">
        <div className={parts.heading}>
          <Skeleton height={36} width={220} my={3} />
          <Skeleton height={24} width={150} radius="xl" mt={8} />
        </div>
      </div>
      <div className={`${shared.columns} ${parts.columns}`}>
        <div>
          <Skeleton height={16} width={80} mb={16} />
          {lines.map((line) => (
            <Skeleton key={line} height={12} mb={28} />
          ))}
        </div>
        <div>
          <Skeleton height={16} width={80} mb={16} />
          <Skeleton height={320} radius="lg" />
        </div>
      </div>
    </div>
  )
}
