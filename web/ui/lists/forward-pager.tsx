import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import parts from './forward-pager.module.css'

type ForwardPagerProps = {
  /** The mark of the page that is shown; none is the first. */
  at: string | undefined
  next: string | null | undefined
  onTurn: (mark: string | undefined) => void
}

/** For long lists that are read from one end on: there is no last page to jump to. */
export function ForwardPager({ at, next, onTurn }: ForwardPagerProps) {
  const { t } = useTranslation()
  return (
    <div className={parts.turning}>
      {at && (
        <Button variant="default" size="xs" onClick={() => onTurn(undefined)}>
          {t('To the start')}
        </Button>
      )}
      {next && (
        <Button variant="default" size="xs" onClick={() => onTurn(next)}>
          {t('More')}
        </Button>
      )}
    </div>
  )
}
