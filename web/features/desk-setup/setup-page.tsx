import { Skeleton } from '@mantine/core'
import { IconChevronRight, IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { WorkPage } from '../../ui/layout/work-page.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './setup.module.css'
import { stepLabels } from './setup-labels.ts'
import { setupQuery } from './use-setup.ts'

/** The remaining setup steps before members can use a new brokerage. */
export function SetupPage() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(setupQuery)
  const done = data?.filter(({ is_done }) => is_done).length ?? 0
  return (
    <WorkPage
      help={
        data && done === data.length
          ? t('Everything is set up.')
          : t('What is left to do before members can use the portal.')
      }
    >
      {!data && error && <ErrorState error={error} onRetry={() => refetch()} />}
      {!data && !error && <Skeleton height={320} radius="lg" role="status" aria-label={t('Loading')} />}
      {data && (
        <>
          <p className={parts.count}>{t('{{done}} of {{count}} done', { done, count: data.length })}</p>
          <ol className={parts.steps} aria-label={t('Setup')}>
            {data.map(({ name, is_done }) => (
              <li key={name}>
                <Link to={stepLabels[name].to} className={parts.step}>
                  {is_done ? (
                    <IconCircleCheckFilled size={22} className={parts.done} role="img" aria-label={t('Done')} />
                  ) : (
                    <IconCircle size={22} stroke={1.5} className={parts.open} role="img" aria-label={t('To do')} />
                  )}
                  <span className={parts.words}>
                    <strong>{t(stepLabels[name].title)}</strong>
                    <span>{t(stepLabels[name].text)}</span>
                  </span>
                  <IconChevronRight size={18} stroke={1.5} aria-hidden />
                </Link>
              </li>
            ))}
          </ol>
        </>
      )}
    </WorkPage>
  )
}
